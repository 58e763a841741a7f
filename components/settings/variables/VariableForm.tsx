import { Input, SegmentedControl, Textarea, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { splitFieldErrors } from '@/components/client/field-errors';
import { useTRPC } from '@/components/client/trpc';
import { useInvalidateQueries } from '@/components/client/useInvalidateQueries';
import { CreateDialog } from '../CreateDialog';
import { parseVariableText, variableToText, type VariableRow, type VariableValueKind } from './value';

interface Props {
  /** Undefined: a new variable. */
  variable: VariableRow | undefined;
  onClose(): void;
}

/** Creates a variable, or changes its value: a text, or any JSON. */
export function VariableForm({ variable, onClose }: Props) {
  const trpc = useTRPC();
  const refresh = useInvalidateQueries();
  const before = variableToText(variable?.value ?? '');
  const [name, setName] = useState(variable?.name ?? '');
  const [kind, setKind] = useState<VariableValueKind>(variable ? before.kind : 'text');
  const [text, setText] = useState(variable ? before.text : '');
  const [fault, setFault] = useState<string>();
  const onSuccess = () => {
    refresh();
    onClose();
  };
  const create = useMutation(trpc.variables.create.mutationOptions({ onSuccess }));
  const update = useMutation(trpc.variables.update.mutationOptions({ onSuccess }));
  const { at, elsewhere } = splitFieldErrors(create.error ?? update.error, (field) =>
    ['name', 'value'].includes(field),
  );
  const submit = () => {
    const read = parseVariableText(kind, text);
    setFault(read.fault);
    if (read.fault !== undefined) return;
    const { value } = read;
    if (variable) update.mutate({ params: { name: variable.name }, body: { value } });
    else create.mutate({ body: { name, value } });
  };
  return (
    <CreateDialog
      isOpen
      title={variable ? `Change ${variable.name}` : 'New variable'}
      action={variable ? 'Save' : 'Create'}
      isBusy={create.isPending || update.isPending}
      isComplete={name !== '' && (kind === 'text' || text.trim() !== '')}
      problem={elsewhere}
      outcome={undefined}
      onSubmit={submit}
      onClose={onClose}
    >
      {!variable && (
        <TextInput
          label="Name"
          required
          description={`Capital letters, digits and _. Expressions read it as vars.${name || 'NAME'}.`}
          placeholder="SUPPORT_ADDRESS"
          autoComplete="off"
          spellCheck={false}
          maxLength={100}
          data-autofocus
          value={name}
          error={at.get('name')}
          onChange={(change) => setName(change.currentTarget.value.toUpperCase().replaceAll(/[\s-]/g, '_'))}
        />
      )}
      <Input.Wrapper label="Kind of value" labelElement="div">
        <SegmentedControl
          fullWidth
          mt={4}
          aria-label="Kind of value"
          data={[
            { value: 'text', label: 'Text' },
            { value: 'json', label: 'JSON' },
          ]}
          value={kind}
          onChange={(next) => {
            setKind(next === 'json' ? 'json' : 'text');
            setFault(undefined);
          }}
        />
      </Input.Wrapper>
      <Textarea
        label="Value"
        required={kind === 'json'}
        description={kind === 'json' ? 'A number, true or false, null, a list or an object.' : undefined}
        autosize
        minRows={kind === 'json' ? 4 : 2}
        maxRows={14}
        spellCheck={kind === 'text'}
        styles={kind === 'json' ? { input: { fontFamily: 'var(--mantine-font-family-monospace)' } } : undefined}
        value={text}
        error={fault ?? at.get('value')}
        onChange={(change) => setText(change.currentTarget.value)}
      />
    </CreateDialog>
  );
}
