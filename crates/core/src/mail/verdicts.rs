//! Fields that hold the verdict or the score of a filter, be it this one or another: whoever wrote them, they are no
//! features. A sender can forge them, and a filter that learned from them would only repeat what another one said.

/// Four letters that stand in such names wherever they come from: spam, junk, phishing, Bayes, verdict, MailScanner
/// (`X-Spam-Status`, `SpamDiagnosticOutput`, `X-KSMG-AntiPhishing`, `X-Barracuda-Bayes`, `X-Firm-MailScanner`, ...).
const LETTERS: [u32; 6] = [four(b"spam"), four(b"junk"), four(b"hish"), four(b"ayes"), four(b"rdic"), four(b"lsca")];

const fn four(letters: &[u8; 4]) -> u32 {
    u32::from_ne_bytes(*letters)
}

/// How the others begin. Only verdicts and scores: what a gateway writes beside them (identifiers, times, addresses)
/// tells the way of a mail, as `Received` does.
#[rustfmt::skip]
const STARTS: &[&str] = &[
    // Filters that are installed beside a mail server.
    "x-amavis-alert", "x-antivirus", "x-anti-virus", "x-assp-", "x-bayleaf", "x-bogosity", "x-crm114", "x-dcc-",
    "x-ham-report", "x-messagesniffer-", "x-osbf", "x-policyd-weight", "x-popfile", "x-pyzor", "x-razor", "x-rbl-",
    "x-sa-exim-scanned", "x-text-classification", "x-virus-flag", "x-virus-status",
    // Gateways.
    "x-amp-result", "x-authority-analysis", "x-authority-info", "x-barracuda-b", "x-bess-brts", "x-bitdefender",
    "x-brightmail", "x-cloudmark-", "x-clx-", "x-cmae-", "x-cnfs-analysis", "x-ctch-", "x-eset", "x-feas-", "x-fireeye",
    "x-imss-", "x-ipas-result", "x-ironport-av", "x-klms-", "x-kse-", "x-ksmg-", "x-lased-", "x-libra-esva", "x-libraesva",
    "x-mdav-result", "x-mimecast-bulk", "x-mimecast-impersonation", "x-pmx-", "x-pstn-", "x-purgate",
    "x-recommended-action", "x-sasi-", "x-sbrs", "x-tm-as-", "x-tmase-", "x-vade", "x-vr-",
    // Mailboxes of many: Microsoft, Apple, Fastmail, Gandi, GMX and web.de, mail.ru, Yahoo and AOL, Zoho.
    "x-ms-exchange-organization-scl", "x-ms-exchange-organization-pcl", "x-message-delivery",
    "x-apple-action", "x-apple-movetofolder", "x-icl-", "x-me-cm", "x-me-vs", "x-gnd-score", "x-gnd-stat", "x-gmx-anti",
    "x-ui-filterresults", "x-ui-out-filterresults", "x-mras", "x-aol-global-disposition", "x-aol-scoll-score", "x-aol-vss-",
    "x-yahoofilteredbulk", "x-ymailisg", "x-zoho-av-", "x-zoho-virus-",
];

/// Is it the name of such a field?
pub(super) fn is_one(name: &[u8]) -> bool {
    // Four letters are one number, and 0x20 makes them small: a mail has dozens of names, each of dozens of letters.
    let known =
        |letters: &[u8]| letters.first_chunk().is_some_and(|some| LETTERS.contains(&(four(some) | four(b"    "))));
    name.windows(4).any(known)
        || name.get(..2).is_some_and(|x| x.eq_ignore_ascii_case(b"x-")) && begins_with_one(name, STARTS)
}

/// Does the name begin with one of those?
pub(super) fn begins_with_one(name: &[u8], starts: &[&str]) -> bool {
    starts.iter().any(|start| name.get(..start.len()).is_some_and(|n| n.eq_ignore_ascii_case(start.as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[rustfmt::skip]
    #[test]
    fn verdicts_are_told_from_what_stands_beside_them() {
        for name in [
            "X-Spam-Status", "x-bogosity", "X-Bayleaf-Verdict", "X-Rspamd-Score", "X-Microsoft-Antispam",
            "X-Forefront-Antispam-Report", "X-MS-Exchange-Organization-SCL", "SpamDiagnosticOutput",
            "X-Proofpoint-Spam-Details", "X-Mimecast-Spam-Score", "X-Mimecast-Impersonation-Protect",
            "X-Barracuda-Bayes", "X-Firm-MailScanner", "X-KSMG-AntiPhishing", "X-ThreatScanner-Verdict", "X-UI-Filterresults",
            "X-ICL-Score", "X-VR-STATUS", "X-ME-VSCategory", "X-Ham-Report", "X-Recommended-Action", "X-IPAS-Result",
        ] {
            assert!(is_one(name.as_bytes()), "{name}");
        }
        for name in [
            "Subject", "X-Mailer", "Authentication-Results", "ARC-Seal", "X-SG-EID", "X-MC-Unique", "X-Proofpoint-GUID",
            "X-Barracuda-Connect", "X-MS-Exchange-CrossTenant-AuthAs", "X-Virus-Scanned", "X-Library", "X-GND-Sasl", "X-Predicted",
        ] {
            assert!(!is_one(name.as_bytes()), "{name}");
        }
    }
}
