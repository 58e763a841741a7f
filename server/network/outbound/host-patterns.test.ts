import { describe, expect, test } from 'vitest';
import { hostPatternAllows, isHostListNarrower } from './host-patterns';

describe('an entry of the allowed hosts', () => {
  test.each<[string, string, boolean]>([
    ['api.example.com', 'https://api.example.com/x', true],
    ['API.Example.com', 'https://api.example.com/x', true],
    ['api.example.com', 'https://api.example.com:8443/x', true],
    ['api.example.com:8443', 'https://api.example.com:8443/x', true],
    ['api.example.com:8443', 'https://api.example.com/x', false],
    ['example.com', 'https://api.example.com/', false],
    ['*.example.com', 'https://api.example.com/', true],
    ['*.example.com', 'https://a.b.example.com/', true],
    ['*.example.com', 'https://example.com/', false],
    ['*.example.com', 'https://evilexample.com/', false],
    ['*.example.com:8443', 'https://api.example.com:8443/', true],
    ['*.example.com:8443', 'https://api.example.com/', false],
  ])('%s and %s: %s', (entry, address, expected) => {
    expect(hostPatternAllows(entry, new URL(address))).toBe(expected);
  });
});

describe('a list', () => {
  test.each<[string[], string[]]>([
    [['a.example'], []],
    [[], []],
    [['a.example'], ['a.example', 'b.example']],
    [['a.example', 'A.example'], ['a.example']],
    [['a.example:8443'], ['a.example']],
    [['x.a.example'], ['*.a.example']],
    [['*.x.a.example'], ['*.a.example']],
    [['*.a.example:444'], ['*.a.example']],
  ])('%j allows no more than %j', (hosts, others) => {
    expect(isHostListNarrower(hosts, others)).toBe(true);
  });

  test.each<[string[], string[]]>([
    [[], ['a.example']],
    [['a.example', 'b.example'], ['a.example']],
    [['b.example'], ['a.example']],
    [['a.example'], ['a.example:8443']],
    [['a.example:1'], ['a.example:2']],
    [['*.a.example'], ['a.example']],
    [['a.example'], ['*.a.example']],
    [['*.example'], ['*.a.example']],
    [['evila.example'], ['*.a.example']],
    [['x.a.example'], ['*.a.example:444']],
  ])('%j allows more than %j', (hosts, others) => {
    expect(isHostListNarrower(hosts, others)).toBe(false);
  });
});
