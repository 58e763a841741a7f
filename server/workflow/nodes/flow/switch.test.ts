import { describe, expect, it } from 'vitest';
import { switchNodeType } from './switch';

const run = async (config: unknown, input: unknown = {}) => {
  const parsed = switchNodeType.config.parse(config);
  const outcome = await switchNodeType.run({ config: parsed, input } as never);
  return (outcome as { port?: string }).port;
};
const issues = (config: unknown) =>
  switchNodeType.config.safeParse(config).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

describe('switch', () => {
  it('continues at the first case that has the value, or whose rules are true', async () => {
    const cases = [
      { value: 'NO', port: 'north' },
      { when: true, port: 'large' },
      { value: 1, port: 'one' },
    ];
    expect(await run({ expression: 'NO', cases })).toBe('north');
    expect(await run({ expression: 'SE', cases })).toBe('large');
    expect(
      await run({
        expression: 1,
        cases: [
          { when: 0, port: 'never' },
          { value: 1, port: 'one' },
        ],
      }),
    ).toBe('one');
    expect(await run({ expression: '1', cases: [{ value: 1, port: 'one' }] })).toBe('default');
    expect(await run({ cases: [{ value: null, port: 'none' }] })).toBe('none');
  });

  it('needs a value or rules for each case, and something to compare values with', () => {
    expect(issues({ cases: [{ port: 'a' }] })).toEqual(['cases.0.value: needs a value or when']);
    expect(issues({ cases: [{ port: 'a', value: 1, when: '{{ true }}' }] })).toEqual([
      'cases.0.when: takes either value or when, not both',
    ]);
    const gaps = (config: Record<string, unknown>) => switchNodeType.gaps?.(config, false);
    expect(gaps({ cases: [{ when: '{{ input.a }}', port: 'a' }] })).toEqual([]);
    expect(
      gaps({
        cases: [
          { when: '{{ input.a }}', port: 'a' },
          { value: 1, port: 'b' },
        ],
      }),
    ).toHaveLength(1);
    expect(gaps({})).toHaveLength(1);
  });
});
