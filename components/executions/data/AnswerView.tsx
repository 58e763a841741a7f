import type { Answer } from '@/contract/execution';
import { TextView } from '@/components/ui/values/TextView';
import { DataView } from './DataView';

/** The HTTP response to a failed request. */
export function AnswerView({ answer: { status, headers, body } }: { answer: Answer }) {
  const value = body ? read(body) : undefined;
  return (
    <>
      <DataView label="response" value={value === undefined ? { status, headers } : { status, body: value, headers }} />
      {body && value === undefined && <TextView label="Response body" text={body} />}
    </>
  );
}

/** Undefined: the text is not JSON or is truncated. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
