import { useExpressionLanguage } from '@/components/ui/values/expression-language';
import { DataFieldPicker } from './DataFieldPicker';
import { itemFieldPath, storedItemField } from './model/filter-rules';

interface Props {
  label: string;
  /** Names with dots below the item; the empty text is the item itself. Undefined: none is picked. */
  value: string | undefined;
  /** The first item of the list, as `item`. */
  scope: Readonly<Record<string, unknown>>;
  placeholder?: string;
  isInvalid?: boolean;
  onPick(field: string): void;
}

/** Picks a field of the items of a list. */
export function ItemFieldPicker({ label, value, scope, placeholder, isInvalid, onPick }: Props) {
  const language = useExpressionLanguage();
  const items = 'item' in scope ? { item: scope['item'] } : scope;
  return (
    <DataFieldPicker
      label={label}
      value={value === undefined ? undefined : (itemFieldPath(value, language) ?? value)}
      scope={items}
      base="item"
      placeholder={placeholder}
      isInvalid={isInvalid}
      onPick={(path) => {
        const field = storedItemField(path, language);
        if (field !== undefined) onPick(field);
      }}
    />
  );
}
