import type { Bag, N8nNode } from '../file';
import type { ConvertedTrigger } from './trigger';

const whole = (given: unknown, least: number, most: number, otherwise: number): number => {
  const number =
    typeof given === 'number' ? given : typeof given === 'string' && given.trim() !== '' ? Number(given) : Number.NaN;
  return Number.isInteger(number) && number >= least && number <= most ? number : otherwise;
};

const every = (step: number) => (step > 1 ? `*/${step}` : '*');

/** The times of a rule as cron; undefined: Weft does not have them. */
export function cronOf(rule: Bag): string | undefined {
  const minute = whole(rule['triggerAtMinute'], 0, 59, 0);
  const hour = whole(rule['triggerAtHour'], 0, 23, 0);
  switch (rule['field'] ?? 'days') {
    case 'cronExpression':
      return plainCron(rule['expression']);
    case 'minutes':
      return `${every(whole(rule['minutesInterval'], 1, 59, 5))} * * * *`;
    case 'hours':
      return `${minute} ${every(whole(rule['hoursInterval'], 1, 23, 1))} * * *`;
    case 'days':
      return `${minute} ${hour} ${every(whole(rule['daysInterval'], 1, 31, 1))} * *`;
    case 'weeks': {
      const days = Array.isArray(rule['triggerAtDay'])
        ? rule['triggerAtDay'].map((day) => whole(day, 0, 7, 0) % 7)
        : [0];
      return `${minute} ${hour} * * ${[...new Set(days)].slice(0, 7).join(',') || '0'}`;
    }
    case 'months':
      return `${minute} ${hour} ${whole(rule['triggerAtDayOfMonth'], 1, 31, 1)} ${every(whole(rule['monthsInterval'], 1, 12, 1))} *`;
    default:
      return undefined;
  }
}

const FIELD = /^[\d*,/\-A-Za-z#]{1,40}$/;

/** Cron with five fields. One with seconds loses them, if they are zero. */
function plainCron(given: unknown): string | undefined {
  if (typeof given !== 'string') return undefined;
  const fields = given.replace(/^=/, '').trim().split(/\s+/);
  const five = fields.length === 6 && /^0?0$/.test(fields[0] ?? '') ? fields.slice(1) : fields;
  return five.length === 5 && five.every((field) => FIELD.test(field)) ? five.join(' ') : undefined;
}

/** The times of the node `cron`, which is older. */
export function oldCronOf(item: Bag): string | undefined {
  const minute = whole(item['minute'], 0, 59, 0);
  const hour = whole(item['hour'], 0, 23, 14);
  switch (item['mode'] ?? 'everyDay') {
    case 'everyMinute':
      return '* * * * *';
    case 'everyHour':
      return `${minute} * * * *`;
    case 'everyDay':
      return `${minute} ${hour} * * *`;
    case 'everyWeek':
      return `${minute} ${hour} * * ${whole(item['weekday'], 0, 6, 1)}`;
    case 'everyMonth':
      return `${minute} ${hour} ${whole(item['dayOfMonth'], 1, 31, 1)} * *`;
    case 'everyX': {
      const step = whole(item['value'], 1, 59, 2);
      return item['unit'] === 'minutes' ? `${every(step)} * * * *` : `0 ${every(Math.min(step, 23))} * * *`;
    }
    case 'custom':
      return plainCron(item['cronExpression']);
    default:
      return undefined;
  }
}

export function schedule(rules: readonly (string | undefined)[], timeZone: string | undefined): ConvertedTrigger {
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

export function interval({ parameters }: N8nNode): string | undefined {
  const step = whole(parameters['interval'], 1, 59, 1);
  if (parameters['unit'] === 'minutes') return `${every(step)} * * * *`;
  return parameters['unit'] === 'hours' ? `0 ${every(Math.min(step, 23))} * * *` : undefined;
}
