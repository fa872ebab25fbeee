// Redraws a part only when its properties change.

import { Component, type ComponentChildren, type ComponentType, h } from "preact";

/** `part`, redrawn only if one of its properties changes. */
export function memo<P extends object>(part: (props: P) => ComponentChildren): ComponentType<P> {
  return class Kept extends Component<P> {
    override shouldComponentUpdate(next: P): boolean {
      const before = this.props as Readonly<Record<string, unknown>>;
      const after = next as Readonly<Record<string, unknown>>;
      const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
      return [...keys].some((key) => before[key] !== after[key]);
    }
    override render(): ComponentChildren {
      return h(part as ComponentType<P>, this.props as P);
    }
  };
}
