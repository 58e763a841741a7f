import type { ExecutionResponse } from '@/contract/execution';
import type { FormField } from '@/contract/triggers/form-fields';
import { Browser } from '../browser';
import { call, unique, type Refused, type TestUser } from '../factories';
import { createForm, fillIn } from '../forms';
import { givenOf, idOf, KIND_NAMES, Refusal, type Given, type Kind, type Place } from './kinds';

export const field = (output: unknown, ...path: (string | number)[]): unknown =>
  path.reduce<unknown>((at, name) => (at as Record<string, unknown> | null | undefined)?.[name], output);

/** Each kind by itself. */
export async function eachOf(give: (kind: Kind) => Promise<unknown>): Promise<Given> {
  const given = new Map<Kind, unknown>();
  for (const kind of KIND_NAMES) given.set(kind, await give(kind));
  return givenOf((kind) => given.get(kind));
}

export const refusal = ({ error }: Refused): Refusal =>
  new Refusal(
    error.code,
    [error.message, ...error.details.map(({ field: at, message }) => `${at} ${message}`)].join(' '),
  );

export async function inputOf(user: TestUser, executionId: string): Promise<unknown> {
  const path = `/api/executions/${executionId}?waitSeconds=20`;
  const { body } = await call<ExecutionResponse>('GET', path, { token: user.token });
  return body.input;
}

const FIELDS: Partial<Record<Kind, FormField['kind']>> = {
  time: 'datetime',
  date: 'date',
  integer: 'number',
  '2^53 + 1': 'number',
  '2^63 − 1': 'number',
  decimal: 'number',
  'minus zero': 'number',
  true: 'checkbox',
};

/** A field for each kind, filled in by itself: a text as it is, anything else as its JSON. */
export function formPlace(user: TestUser, workflowId: string): Place {
  return async (json, values) => {
    const fields = KIND_NAMES.map((kind) => ({ name: idOf(kind), label: kind, kind: FIELDS[kind] ?? 'textarea' }));
    const { body: form } = await createForm(user, workflowId, { path: unique('values'), fields });
    return eachOf(async (kind) => {
      const given = values[kind];
      const text = typeof given === 'string' ? given : json[kind];
      const answer = await fillIn(new Browser(), new URL(form.url).pathname, { [idOf(kind)]: text });
      const [, reason] = /class="error"[^>]*>([^<]+)/.exec(answer.text) ?? [];
      if (answer.status !== 200)
        return new Refusal(String(answer.status), reason ?? 'The page says that it is too large');
      const path = `/api/executions?workflowId=${workflowId}&limit=1`;
      const { body } = await call<{ data: { id: string }[] }>('GET', path, { token: user.token });
      return field(await inputOf(user, body.data[0]?.id ?? ''), idOf(kind));
    });
  };
}
