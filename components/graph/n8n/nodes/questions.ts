import type { Conversion, Piece } from '../conversion';
import { textOf } from '../conversion';
import { isExpression, type Expressions } from '../text';

const ADDRESS = /^[^\s@,;<>{}"]{1,64}@[^\s@,;<>{}"]{1,190}$/;

/** Addresses in a parameter: a text with an expression, or a list of valid ones; undefined: there are none. */
export function addresses(given: unknown, expressions: Expressions): string | string[] | undefined {
  const text = addressText(given, expressions);
  return typeof text === 'string' && text.length > 10_000 ? undefined : text;
}

function addressText(given: unknown, expressions: Expressions): string | string[] | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  if (isExpression(given) && given.includes('{{')) return textOf(given, expressions);
  const all = given
    .replace(/^=/, '')
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => ADDRESS.test(one));
  return all.length > 0 ? all.slice(0, 100) : undefined;
}

/** A question that a person answers: n8n sends it and waits. */
export function question(conversion: Conversion, to: unknown, message: unknown): Piece {
  const { node } = conversion;
  const expressions = conversion.expressions(conversion.json);
  const people = addresses(to, expressions);
  if (!Array.isArray(people))
    conversion.say('Enter the assignees. Without them, all members who may resume runs decide.');
  const type = node.parameters['responseType'] ?? 'approval';
  if (type !== 'approval') conversion.todo('Enter the fields that it asks for.');
  const { id } = conversion;
  const piece = conversion.whole({
    type: 'approval',
    config: {
      message: conversion.limited(textOf(message, expressions), 10_000),
      ...(Array.isArray(people) ? { assignees: people } : {}),
    },
  });
  const code = `{ "data": { "approved": nodes.${id}.decision = "approved" } }`;
  return {
    ...piece,
    outputs: [{ node: id, port: 'approved', also: ['rejected'] }],
    result: { path: undefined, code, isList: false },
  };
}
