require ["vnd.dovecot.pipe", "copy", "imapsieve", "environment", "variables"];

# Whoever deletes from Junk does not say that it was ham.
if environment :matches "imap.mailbox" ["*Trash", "*Deleted*", "*Papierkorb", "*Corbeille", "*Papelera", "*Cestino"] {
  stop;
}
if environment :matches "imap.user" "*" {
  set "user" "${1}";
}
pipe :copy "bayleaf-learn" ["ham", "${user}"];
