import { createContext, use } from 'react';

/** The values of the whole form, for fields that depend on one outside of their own object. */
export const FormValuesContext = createContext<Readonly<Record<string, unknown>>>({});

/** The value of a field of the form; undefined: it is empty, or no field is named. */
export const useFormValue = (name: string | undefined): unknown => {
  const values = use(FormValuesContext);
  return name === undefined ? undefined : values[name];
};
