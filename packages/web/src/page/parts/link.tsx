// A link to a place on the page: a real link, which can be opened in a new tab, copied, and read by screen readers.

import type { ComponentChildren, JSX } from "preact";
import { linkTo, useApp } from "../state/app.tsx";
import type { PageRoute } from "../state/page-route.ts";

/** The link. */
export function Link(props: {
  readonly to: PageRoute;
  readonly children: ComponentChildren;
  readonly current?: boolean;
}): JSX.Element {
  const { go } = useApp();
  return (
    <a
      href={linkTo(props.to)}
      aria-current={props.current ? "page" : undefined}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
        event.preventDefault();
        go(props.to);
      }}
    >
      {props.children}
    </a>
  );
}
