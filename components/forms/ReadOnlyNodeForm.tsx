import { Text } from '@mantine/core';
import { useMemo } from 'react';
import type { NodeTypeDescription } from '@/contract/workflows/node-type';
import type { WorkflowNode } from '@/contract/workflows/workflow';
import { JsonView } from '@/components/ui/values/JsonView';
import { ReadOnlyContext } from '@/components/ui/values/read-only';
import { ChoiceTargetContext, readChoiceTarget } from './choices/choice-target';
import type { FieldSchema } from './model/field-schema';
import { buildExecutionVariables } from './model/preview-expression';
import { ReferenceOptionsContext } from './model/reference-options';
import { addParameterFields } from './operations/connector-operation';
import { listOwnFormFields } from './operations/own-form-fields';
import { useReferenceOptions } from './operations/useReferenceOptions';
import { PreviewDataContext } from './preview-context';
import classes from './ReadOnlyNodeForm.module.css';
import { SchemaForm } from './SchemaForm';

const NO_ERRORS: ReadonlyMap<string, string> = new Map();
const ignoreChange = () => undefined;

interface Props {
  node: WorkflowNode;
  kind: NodeTypeDescription | undefined;
  /** What the canvas calls the nodes, by id. */
  titles: Readonly<Record<string, string>>;
  /** The names of the fields that are shown. Default: those of the form of the node */
  only?: readonly string[];
}

/** The form of a node for those who only read: the fields that have a value. */
export function ReadOnlyNodeForm({ node, kind, titles, only }: Props) {
  const { references, connectors } = useReferenceOptions(node.config, kind);
  const names = useMemo(
    () => ({
      scope: { input: undefined, nodes: {}, execution: buildExecutionVariables(undefined) },
      names: titles,
      hasData: false,
      isPartial: false,
    }),
    [titles],
  );
  if (!kind) return <JsonView label="Settings" value={node.config} />;
  const schema = addParameterFields(kind.configSchema as FieldSchema, node.config, connectors);
  const all = schema.properties ?? {};
  const properties = Object.fromEntries(
    Object.entries(only ? all : listOwnFormFields(kind.type, all)).filter(
      ([name]) => node.config[name] !== undefined && (only?.includes(name) ?? true),
    ),
  );
  if (Object.keys(properties).length === 0)
    return (
      <Text size="sm" c="dimmed">
        Nothing is set here.
      </Text>
    );
  return (
    <ReadOnlyContext value>
      <PreviewDataContext value={names}>
        <ReferenceOptionsContext value={references}>
          <ChoiceTargetContext value={{ ...readChoiceTarget(node), labels: node.labels }}>
            <fieldset disabled className={classes.form}>
              <SchemaForm
                schema={{ ...schema, required: [], properties }}
                value={node.config}
                errors={NO_ERRORS}
                onChange={ignoreChange}
              />
            </fieldset>
          </ChoiceTargetContext>
        </ReferenceOptionsContext>
      </PreviewDataContext>
    </ReadOnlyContext>
  );
}
