/*
 * The facts about secrets, as data: names whose values are secrets, and how well-known tokens begin. Every pattern runs in
 * linear time, because hook output is anyone's text.
 */

const raw = String.raw;

/** Vendors whose keys are called `<vendor>_key`. Other names that end in "key" are mostly those of a row or a cache. */
const VENDORS =
  "anthropic|aws|azure|datadog|gemini|github|gitlab|google|groq|mailgun|mistral|openai|openrouter|sendgrid|stripe|twilio";

/** What may follow the last word of a name: which secret it is. `token_count` is no token. */
const WHICH = raw`(?:[_-](?:base|prod|production|prd|staging|stg|live|test|qa|uat|dev|local|ci|bot|old|new|primary|secondary|admin|root|db|backup|github|gitlab|npm|slack|\d{1,3}))?`;

/** The end of a name whose value is a secret: `db_pass` and `api_key_prod`, but not `compass` and `max_tokens`. */
export const NAME = raw`(?:(?:api|access|account|encryption|master|private|secret|shared|signing|${VENDORS})[_-]?key|client[_-]key[_-]data|secret(?:[_-]?string)?|token|passw(?:or)?d|passphrase|credentials?|authorization|cookie|(?<![a-z\d])pwd|[_-]pwd|(?<![a-z\d])pass|(?:admin|db|root|smtp|ssh|user)pass|(?:npm|registry)_auth|docker_auth_config|(?<![a-z\d])_auth)${WHICH}`;

/** In lower case: every name of NAME holds one of these. */
export const NAME_SIGNS = "key secret token pass credential auth cookie pwd".split(" ");

/** What tells a key from a table, a branch or a folder whose name begins like one. */
const KEY_REST = [
  raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{16,}`,
  "(?:live|test)[-_][A-Za-z0-9]{11,}",
  raw`(?:ant|or|proj)-[\w-]{12,}`,
  "(?:lf-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*",
  raw`(?:[A-Za-z0-9]*[-_])*(?:(?=[A-Za-z]*\d)[A-Za-z0-9]{16,}|[A-Za-z]{21,})`,
].join("|");

/** Well-known tokens: how they begin, and the rest as a pattern. */
export const TOKENS: readonly (readonly [beginnings: string, rest: string])[] = [
  ["sk- sk_ pk- pk_ rk- rk_", `(?:${KEY_REST})`],
  ["gho_ ghp_ ghu_ ghs_ ghr_ github_pat_ shpat_ shpca_ shppa_ shpss_ glsa_", "[A-Za-z0-9_]{20,}"],
  ["glpat- glrt- gldt- glptt- glsoat- glcbt-", "[A-Za-z0-9_-]{16,}"],
  ["dckr_pat_ ATATT3 nvapi- figd_ GOCSPX- hvb. hvs. ya29. xapp- pypi- AIza", raw`[\w-]{20,}`],
  ["gsk_ hf_ npm_ lin_api_", "[A-Za-z0-9]{20,}"],
  ["xoxa xoxb xoxe xoxp xoxr xoxs", "[-.][A-Za-z0-9.-]{10,}"],
  ["sbp_ dapi doo_v1_ dop_v1_ dor_v1_", "[a-f0-9]{32,}"],
  ["AGE-SECRET-KEY-1", "[A-Z0-9]{40,}"],
  ["AKIA ASIA", "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["whsec_", "[A-Za-z0-9+/=]{16,}"],
  ["SG.", raw`[\w-]{16,}\.[\w-]{16,}`],
  ["eyJ", raw`[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}`],
  ["https://hooks.slack.com/services/", "[A-Za-z0-9/]{16,}"],
];
