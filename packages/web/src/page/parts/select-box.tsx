// A box that adds an item of a list to the selected ones, or removes it.

import type { JSX } from "preact";

interface SelectBoxProps<Item> {
  readonly label: string;
  readonly item: Item;
  readonly selected: readonly Item[];
  /** The most items that can be selected. Default: any number. */
  readonly most?: number;
  readonly onSelect: (selected: readonly Item[]) => void;
}

/** The box. */
export function SelectBox<Item>({
  label,
  item,
  selected,
  most = Number.POSITIVE_INFINITY,
  onSelect,
}: SelectBoxProps<Item>): JSX.Element {
  const isSelected = selected.includes(item);
  return (
    <input
      type="checkbox"
      aria-label={label}
      checked={isSelected}
      disabled={!isSelected && selected.length >= most}
      onChange={() => onSelect(isSelected ? selected.filter((one) => one !== item) : [...selected, item])}
    />
  );
}
