import type { FailedHttpResponse } from '@/contract/execution';
import { CopyableText } from '@/components/ui/values/CopyableText';
import { DataView } from './DataView';

/** The HTTP response to a failed request. */
export function FailedResponseView({ answer: { status, headers, body } }: { answer: FailedHttpResponse }) {
  const value = body ? tryParseJson(body) : undefined;
  return (
    <>
      <DataView label="response" value={value === undefined ? { status, headers } : { status, body: value, headers }} />
      {body && value === undefined && <CopyableText label="Response body" text={body} />}
    </>
  );
}

/** Parses a body as JSON. Returns undefined if the text is not JSON or is truncated. */
function tryParseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
