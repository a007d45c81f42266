/** In front of the `-` or `_` before the secret part of a key. Nothing else begins like these. */
export const PREFIXES =
  'sk-(?:proj|svcacct|admin|ant|or-v1|lf)|[rs]k_(?:live|test)|gh[pousr]|github_pat|gl(?:pat|ptt|rt|dt|cbt|ft|imt|agent|' +
  'soat|ffct|oas)|xox[abeoprs]|xapp|whsec|GOCSPX|rubygems|dckr_[a-z]at|gsk|xai|pplx|tvly|nvapi|lsv2|pcsk|jina|shp[a-z]{2}|' +
  'do[opr]_v1|lin_(?:api|oauth)|ntn|xkeysib|xsmtpsib|sq0[a-z]{3}|rzp_(?:live|test)|glsa|pypi|fig[du]|PMAK|' +
  'pscale_(?:tkn|pw|oauth)|sbp|sb_secret|vc[apikr]|nf[abcopu]|fm[12]|HRKU|sntryu|NR[AIJRS]K|pat-(?:na|eu)\\d|ph[csx]|' +
  'access-(?:sandbox|development|production)|tskey-[a-z]{2,10}|CFPAT|shippo_(?:live|test)|v1\\.0|sgp|apify_api|rpa|e2b|' +
  'cf(?:ut|at|k)|FLWSECK(?:_TEST)?|p8e|api_org|CLOJARS|esecret|AGE-SECRET-KEY';

/** The same, but words and names of variables may begin so too; what follows has to look random. */
export const LOOSE_PREFIXES = 'spoor|sk|pk|rk|hf|fw|re|pa|key|pul|rnd|r8|secret|csk|npm|cal_live|fc|waka';
