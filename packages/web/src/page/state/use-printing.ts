// Whether the page is being printed: then parts that are folded on the screen are unfolded.

import { useEffect, useState } from "preact/hooks";

/** True from before the page is printed until after. */
export function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false);
  useEffect(() => {
    const [begin, end] = [() => setPrinting(true), () => setPrinting(false)];
    addEventListener("beforeprint", begin);
    addEventListener("afterprint", end);
    return () => {
      removeEventListener("beforeprint", begin);
      removeEventListener("afterprint", end);
    };
  }, []);
  return printing;
}
