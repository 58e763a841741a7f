/** Names that are written with capitals or digits inside, or begin small. */
const BRANDS =
  /\b(McMurdo|DumontDUrville|MarkdownV2|TwiML|GitHub|GitLab|OAuth|IDs?|URLs?|iCal\w*|JSONata|JavaScript|HubSpot|ClickUp|QuickBooks|WordPress|WooCommerce|SharePoint|OneDrive|PagerDuty|SendGrid|DocuSign|ServiceNow|PostgreSQL|MySQL|OpenAI|OpenAPI|DeepSeek|YouTube|LinkedIn|WhatsApp|PayPal|AWS|S3|reCAPTCHA|MongoDB|eBay|dB|GraphQL|OpenRouter|xAI|vLLM|LM|MiB|KiB|HMAC|SHA\d*|MD5|UTF-\d+|base64\w*|CSV|XML|HTML|PDF)\b/g;

/** Why a text reads like a name of a program; undefined: it reads like a label. */
export function identifierMark(text: string): string | undefined {
  const rest = text.replace(BRANDS, 'X');
  if (text.trim() === '') return 'empty';
  if (/[a-z]_[a-z]/i.test(rest)) return 'underscore';
  if (/[a-z][A-Z]/.test(rest)) return 'camel case';
  if (/^[a-z]+(\.[a-z]+)+$/.test(rest)) return 'dotted';
  if (/^[a-z][a-z0-9-]*$/.test(text) && text !== 'none') return 'lower-case word';
  return undefined;
}
