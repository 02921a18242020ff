# A user's or the site's delivery script: what bayleaf has marked goes to Junk.
require ["fileinto", "mailbox"];

if header :is "X-Spam-Flag" "YES" {
  fileinto :create "Junk";
  stop;
}
