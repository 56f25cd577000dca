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
export const NAME_SIGNS = [
  "key",
  "secret",
  "token",
  "passw",
  "passphrase",
  "pass",
  "credential",
  "authorization",
  "cookie",
  "pwd",
  "_auth",
];

/** What tells a key from a table, a branch or a folder whose name begins like one. */
const KEY_REST = [
  raw`(?=[\w-]*[a-z])(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]{16,}`,
  "(?:live|test)[-_][A-Za-z0-9]{11,}",
  raw`(?:ant|or|proj)-[\w-]{12,}`,
  "(?:lf-)?[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]*",
  raw`(?:[A-Za-z0-9]*[-_])*(?:(?=[A-Za-z]*\d)[A-Za-z0-9]{16,}|[A-Za-z]{21,})`,
].join("|");

/** Well-known tokens: how they begin, and the rest. */
export const TOKENS: readonly (readonly [beginning: string, rest: string])[] = [
  ["(?:sk|pk|rk)[-_]", `(?:${KEY_REST})`],
  ["(?:gh[opusr]|github_pat)_", "[A-Za-z0-9_]{20,}"],
  ["xox[abeprs][-.]", "[A-Za-z0-9.-]{10,}"],
  ["xapp-", "[A-Za-z0-9-]{20,}"],
  ["gl(?:pat|rt|dt|ptt|soat|cbt)-", "[A-Za-z0-9_-]{16,}"],
  ["gsk_", "[A-Za-z0-9]{20,}"],
  ["dckr_pat_", "[A-Za-z0-9_-]{20,}"],
  ["ATATT3", "[A-Za-z0-9_-]{20,}"],
  ["nvapi-", "[A-Za-z0-9_-]{20,}"],
  ["figd_", "[A-Za-z0-9_-]{20,}"],
  ["sbp_", "[a-f0-9]{32,}"],
  ["dapi", "[a-f0-9]{32}"],
  ["npm_", "[A-Za-z0-9]{30,}"],
  ["hf_", "[A-Za-z0-9]{20,}"],
  [raw`SG\.`, raw`[\w-]{16,}\.[\w-]{16,}`],
  ["GOCSPX-", "[A-Za-z0-9_-]{20,}"],
  [raw`hv[bs]\.`, "[A-Za-z0-9_-]{20,}"],
  ["do[opr]_v1_", "[a-f0-9]{40,}"],
  ["AGE-SECRET-KEY-1", "[A-Z0-9]{40,}"],
  ["shp(?:at|ca|pa|ss)_", "[A-Za-z0-9]{20,}"],
  ["pypi-", "[A-Za-z0-9_-]{30,}"],
  ["lin_api_", "[A-Za-z0-9]{20,}"],
  ["glsa_", "[A-Za-z0-9_]{20,}"],
  ["whsec_", "[A-Za-z0-9+/=]{16,}"],
  [raw`ya29\.`, "[A-Za-z0-9_-]{16,}"],
  ["(?:AKIA|ASIA)", "[A-Z0-9]{16}(?![A-Za-z0-9])"],
  ["AIza", "[A-Za-z0-9_-]{30,}"],
  ["eyJ", raw`[\w-]{8,}\.[\w-]{8,}\.[\w-]{4,}`],
  ["https://hooks.slack.com/services/", "[A-Za-z0-9/]{16,}"],
];

/** In lower case: every token holds one of these. */
export const TOKEN_SIGNS =
  "sk- sk_ pk- pk_ rk- rk_ gho_ ghp_ ghu_ ghs_ ghr_ github_ xox xapp- glpat glrt gldt glptt glsoat glcbt gsk_ dckr_ atatt3 nvapi figd_ sbp_ dapi npm_ hf_ sg. gocspx hvb. hvs. _v1_ age- shp pypi- lin_ glsa_ whsec_ ya29. akia asia aiza eyj".split(
    " ",
  );
