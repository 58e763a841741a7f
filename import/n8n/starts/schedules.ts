import type { N8nObject, N8nNode } from '../file';
import type { ConvertedTrigger } from './trigger';

const wholeNumberOr = (given: unknown, least: number, most: number, otherwise: number): number => {
  const number =
    typeof given === 'number' ? given : typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  return Number.isInteger(number) && number >= least && number <= most ? number : otherwise;
};

const cronStep = (step: number) => (step > 1 ? `*/${step}` : '*');

/** The times of a rule as cron; undefined: Weft does not have them. */
export function scheduleRuleCron(rule: N8nObject): string | undefined {
  const minute = wholeNumberOr(rule['triggerAtMinute'], 0, 59, 0);
  const hour = wholeNumberOr(rule['triggerAtHour'], 0, 23, 0);
  switch (rule['field'] ?? 'days') {
    case 'cronExpression':
      return fiveFieldCron(rule['expression']);
    case 'minutes':
      return `${cronStep(wholeNumberOr(rule['minutesInterval'], 1, 59, 5))} * * * *`;
    case 'hours':
      return `${minute} ${cronStep(wholeNumberOr(rule['hoursInterval'], 1, 23, 1))} * * *`;
    case 'days':
      return `${minute} ${hour} ${cronStep(wholeNumberOr(rule['daysInterval'], 1, 31, 1))} * *`;
    case 'weeks': {
      const days = Array.isArray(rule['triggerAtDay'])
        ? rule['triggerAtDay'].map((day) => wholeNumberOr(day, 0, 7, 0) % 7)
        : [0];
      return `${minute} ${hour} * * ${[...new Set(days)].slice(0, 7).join(',') || '0'}`;
    }
    case 'months':
      return `${minute} ${hour} ${wholeNumberOr(rule['triggerAtDayOfMonth'], 1, 31, 1)} ${cronStep(wholeNumberOr(rule['monthsInterval'], 1, 12, 1))} *`;
    default:
      return undefined;
  }
}

const CRON_FIELD_PATTERN = /^[\d*,/\-A-Za-z#]{1,40}$/;

/** Cron with five fields. One with seconds loses them, if they are zero. */
function fiveFieldCron(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const fields = given.replace(/^=/, '').trim().split(/\s+/);
  const five = fields.length === 6 && /^0?0$/.test(fields[0] ?? '') ? fields.slice(1) : fields;
  return five.length === 5 && five.every((field) => CRON_FIELD_PATTERN.test(field)) ? five.join(' ') : undefined;
}

/** The times of the node `cron`, which is older. */
export function cronNodeCron(item: N8nObject): string | undefined {
  const minute = wholeNumberOr(item['minute'], 0, 59, 0);
  const hour = wholeNumberOr(item['hour'], 0, 23, 14);
  switch (item['mode'] ?? 'everyDay') {
    case 'everyMinute':
      return '* * * * *';
    case 'everyHour':
      return `${minute} * * * *`;
    case 'everyDay':
      return `${minute} ${hour} * * *`;
    case 'everyWeek':
      return `${minute} ${hour} * * ${wholeNumberOr(item['weekday'], 0, 6, 1)}`;
    case 'everyMonth':
      return `${minute} ${hour} ${wholeNumberOr(item['dayOfMonth'], 1, 31, 1)} * *`;
    case 'everyX': {
      const step = wholeNumberOr(item['value'], 1, 59, 2);
      return item['unit'] === 'minutes' ? `${cronStep(step)} * * * *` : `0 ${cronStep(Math.min(step, 23))} * * *`;
    }
    case 'custom':
      return fiveFieldCron(item['cronExpression']);
    default:
      return undefined;
  }
}

export function convertSchedule(
  rules: readonly (string | undefined)[],
  timeZone: string | undefined,
): ConvertedTrigger {
  const known = [...new Set(rules.filter((rule) => rule !== undefined))].slice(0, 20);
  const isWhole = known.length > 0 && rules.every((rule) => rule !== undefined);
  return {
    triggers: known.map((cron) => ({
      kind: 'schedule',
      settings: { cron, input: {}, enabled: true, overlap: 'skip', ...(timeZone ? { timezone: timeZone } : {}) },
    })),
    isWhole,
    message: isWhole ? '' : 'Enter its times: a schedule of Weft has five fields, and no seconds.',
    names: new Map(),
  };
}

export function intervalNodeCron({ parameters }: N8nNode): string | undefined {
  const step = wholeNumberOr(parameters['interval'], 1, 59, 1);
  if (parameters['unit'] === 'minutes') return `${cronStep(step)} * * * *`;
  return parameters['unit'] === 'hours' ? `0 ${cronStep(Math.min(step, 23))} * * *` : undefined;
}
