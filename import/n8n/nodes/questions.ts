import type { NodeConversion, ConvertedNodes } from '../conversion';
import { parameterText } from '../conversion';
import { isN8nExpression, type NodeExpressions } from '../n8n-expressions';

const MAIL_ADDRESS_PATTERN = /^[^\s@,;<>{}"]{1,64}@[^\s@,;<>{}"]{1,190}$/;

/** Addresses in a parameter: a text with an expression, or a list of valid ones; undefined: there are none. */
export function mailAddresses(given: unknown, expressions: NodeExpressions): string | string[] | undefined {
  const text = mailAddressText(given, expressions);
  return typeof text === 'string' && text.length > 10_000 ? undefined : text;
}

function mailAddressText(given: unknown, expressions: NodeExpressions): string | string[] | undefined {
  if (typeof given !== 'string' || given.trim() === '') return undefined;
  if (isN8nExpression(given) && given.includes('{{')) return parameterText(given, expressions);
  const all = given
    .replace(/^=/, '')
    .split(/[,;]/)
    .map((one) => one.trim())
    .filter((one) => MAIL_ADDRESS_PATTERN.test(one));
  return all.length > 0 ? all.slice(0, 100) : undefined;
}

/** A question that a person answers: n8n sends it and waits. */
export function convertApprovalQuestion(conversion: NodeConversion, to: unknown, message: unknown): ConvertedNodes {
  const { node } = conversion;
  const expressions = conversion.expressions(conversion.json);
  const people = mailAddresses(to, expressions);
  if (!Array.isArray(people))
    conversion.addRemark('Enter the assignees. Without them, all members who may resume runs decide.');
  const type = node.parameters['responseType'] ?? 'approval';
  if (type !== 'approval') conversion.addTodo('Enter the fields that it asks for.');
  const { id } = conversion;
  const piece = conversion.asSingleNode({
    type: 'approval',
    config: {
      message: conversion.limitText(parameterText(message, expressions), 10_000),
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
