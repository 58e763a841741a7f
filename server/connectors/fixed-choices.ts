import type { FieldChoice } from '@/contract/choices';
import type { FixedChoiceSource } from './choices';

/** A list that is the same for every account: values with what people call them. */
export const fixedChoices = (labels: Readonly<Record<string, string>>): FixedChoiceSource => ({
  choices: Object.entries(labels).map(([value, label]): FieldChoice => ({ value, label })),
});

/** Time zones by their IANA names. */
export const timeZoneChoices: FixedChoiceSource = {
  choices: ['UTC', ...Intl.supportedValuesOf('timeZone').filter((zone) => zone !== 'UTC')].map((value) => ({
    value,
    label: value.replaceAll('_', ' '),
  })),
};

const currencyNames = new Intl.DisplayNames('en', { type: 'currency' });

/** Currencies by their ISO 4217 codes, in the case that a service takes. */
export const currencyChoices = (spell: 'lower' | 'upper'): FixedChoiceSource => ({
  choices: Intl.supportedValuesOf('currency').map((code) => ({
    value: spell === 'lower' ? code.toLowerCase() : code,
    label: currencyNames.of(code) ?? code,
    hint: code,
  })),
});
