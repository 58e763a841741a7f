import type { Answer } from '@/contract/execution';
import { TextView } from '../ui/TextView';
import { DataView } from './DataView';

/** What the other side answered to a call that failed. */
export function AnswerView({ answer: { status, headers, body } }: { answer: Answer }) {
  const value = body ? read(body) : undefined;
  return (
    <>
      <DataView label="answer" value={value === undefined ? { status, headers } : { status, body: value, headers }} />
      {body && value === undefined && <TextView label="Body of the answer" text={body} />}
    </>
  );
}

/** Undefined: it is no JSON, or was cut. */
function read(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
