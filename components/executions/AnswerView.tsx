import type { Answer } from '@/contract/execution';
import { JsonView } from '../ui/JsonView';
import { TextView } from '../ui/TextView';
import { DataView } from './DataView';

/** What the other side answered to a call that failed. */
export function AnswerView({ answer: { status, headers, body } }: { answer: Answer }) {
  const value = body === null ? undefined : read(body);
  return (
    <>
      <DataView label="answer" value={{ status, headers }} />
      {body && (value === undefined ? <TextView label="Body" text={body} /> : <JsonView label="Body" value={value} />)}
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
