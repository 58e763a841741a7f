import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { writeFailureSentence, type FailureRecord } from './failure-record';
import { describeFailure, FAILURE_RECORDS, rewriteFailureMessage, type FailureParametersByCode } from './failures';

const RECORDS = Object.entries<FailureRecord>(FAILURE_RECORDS);

const listSourceFiles = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return entry.name === 'testing' ? [] : listSourceFiles(path);
    return path.endsWith('.ts') && !path.endsWith('.test.ts') ? [path] : [];
  });

/** The part of docs/build/errors.md below a heading. */
const readErrorsSection = (heading: string): string =>
  readFileSync('docs/build/errors.md', 'utf8').split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';

const namesInTicks = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name);

const parameterNames = (sentence: string): string[] =>
  [...sentence.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

describe('the record of a code', () => {
  it('exists for each code that the server fails with', () => {
    const codes = listSourceFiles('server').flatMap((path) =>
      [...readFileSync(path, 'utf8').matchAll(/(?:new NodeFailure|createRunError|childRefusal)\(\s*'([A-Z_]+)'/g)].map(
        ([, code = '']) => code,
      ),
    );
    expect(codes.length).toBeGreaterThan(50);
    // What fails with DATABASE is repeated, and nobody reads it.
    expect(codes.filter((code) => !Object.hasOwn(FAILURE_RECORDS, code))).toEqual([]);
  });

  it('has a title and advice', () => {
    expect(RECORDS.filter(([, { title, advice }]) => !title || !advice)).toEqual([]);
  });

  it('has a sentence with all of its parameters, and without others', () => {
    for (const [code, { parameters = {}, sentence = '' }] of RECORDS)
      expect([code, parameterNames(sentence).toSorted()]).toEqual([code, Object.keys(parameters).toSorted()]);
  });

  it('has optional parameters in brackets only, and others outside only', () => {
    for (const [code, { parameters = {}, sentence = '' }] of RECORDS) {
      const needed = Object.keys(parameters).filter((name) => !parameters[name]?.endsWith('?'));
      expect([code, parameterNames(sentence.replace(/\[[^\]]*\]/g, '')).toSorted()]).toEqual([code, needed.toSorted()]);
    }
  });

  it('gives its parameters their types', () => {
    expectTypeOf<FailureParametersByCode['HTTP_STATUS']>().toExtend<{
      server: string;
      status: number;
      reason?: string;
    }>();
    expectTypeOf<{ server: string; status: string }>().not.toExtend<FailureParametersByCode['HTTP_STATUS']>();
  });
});

describe('docs/build/errors.md', () => {
  it('lists the codes', () => {
    expect(
      namesInTicks(readErrorsSection('Codes'))
        .filter((name) => /^[A-Z_]+$/.test(name))
        .toSorted(),
    ).toEqual(Object.keys(FAILURE_RECORDS).toSorted());
  });

  it('lists the parameters of each code', () => {
    const rows = readErrorsSection('Parameters')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => {
        const [, codes = '', parameters = ''] = line.split('|');
        return namesInTicks(codes).map((code) => [code, namesInTicks(parameters).toSorted()] as const);
      });
    const parameters = RECORDS.flatMap(([code, record]) =>
      record.parameters ? [[code, Object.keys(record.parameters).toSorted()] as const] : [],
    );
    expect(Object.fromEntries(rows)).toEqual(Object.fromEntries(parameters));
  });
});

describe('a sentence', () => {
  it('has the values, as they are', () => {
    expect(writeFailureSentence('{a} and {b}', { a: '$& {b} [c]', b: 0 })).toBe('$& {b} [c] and 0');
  });

  it('leaves out a part in brackets if a parameter in it is absent', () => {
    expect(writeFailureSentence('It[ {a}, {b}][: {c}]', { a: 'x', c: 'y' })).toBe('It: y');
    expect(writeFailureSentence('It[ {a}, {b}]', { a: 'x', b: '' })).toBe('It x, ');
  });

  it('can be written with other values', () => {
    const failure = { code: 'UNKNOWN_TYPE', message: 'There is no node type "a".', parameters: { type: 'a' } };
    expect(rewriteFailureMessage(failure, { type: 'b' })).toBe('There is no node type "b".');
    expect(rewriteFailureMessage({ code: 'INTERNAL', message: 'No' }, {})).toBe('No');
    expect(rewriteFailureMessage({ code: 'UNKNOWN_TYPE', message: 'No' }, { type: 'b' })).toBe('No');
  });
});

describe('what people read about a failure', () => {
  it('has a sentence as title, also with an unknown code', () => {
    expect(describeFailure('TIMEOUT').advice).toContain('timeout');
    for (const code of ['ELSE', 'constructor']) expect(describeFailure(code)).toEqual({ title: 'The node failed' });
  });

  it('says what a status of HTTP means, if it is known', () => {
    const title = (status: number) => describeFailure('HTTP_STATUS', { status }).title;
    expect(title(404)).toBe('The server has nothing at this URL');
    expect(title(401)).toBe('The server does not know who is calling');
    expect(title(503)).toBe('The server has a fault');
    expect(title(418)).toBe(FAILURE_RECORDS.HTTP_STATUS.title);
    expect(describeFailure('HTTP_STATUS')).toBe(FAILURE_RECORDS.HTTP_STATUS);
  });
});
