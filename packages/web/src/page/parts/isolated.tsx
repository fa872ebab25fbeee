// A sentence whose names keep their own direction: next to a name in Hebrew or Arabic, numbers would change places.

import type { JSX } from "preact";

/** Letters that are written from right to left. */
const RIGHT_TO_LEFT = /[\u0590-\u08FF\uFB1D-\uFEFC]/;

/** The sentence. */
export function Isolated({
  text,
  names,
}: {
  readonly text: string;
  readonly names: readonly string[];
}): JSX.Element {
  if (!RIGHT_TO_LEFT.test(text)) return <>{text}</>;
  const [first] = names
    .map((name) => ({ name, at: text.indexOf(name) }))
    .filter(({ name, at }) => name !== "" && at !== -1)
    // Of two that begin together, the longer.
    .sort((a, b) => a.at - b.at || b.name.length - a.name.length);
  if (first === undefined) return <>{text}</>;
  return (
    <>
      {text.slice(0, first.at)}
      <bdi>{first.name}</bdi>
      <Isolated text={text.slice(first.at + first.name.length)} names={names} />
    </>
  );
}
