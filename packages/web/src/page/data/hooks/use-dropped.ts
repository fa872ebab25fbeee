// Files that are dragged over the page and dropped anywhere on it.

import { useEffect, useRef, useState } from "preact/hooks";

/**
 * Whether files are dragged over the page; `dropped` is called with dropped files. Undefined leaves them to the
 * browser.
 */
export function useDropped(dropped: ((files: readonly File[]) => void) | undefined): boolean {
  const [over, setOver] = useState(false);
  const latest = useRef(dropped);
  latest.current = dropped;
  const takes = dropped !== undefined;
  useEffect(() => {
    if (!takes) return undefined;
    const hasFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes("Files") === true;
    const dragged = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(true);
    };
    const left = (event: DragEvent): void => {
      if (event.relatedTarget === null) setOver(false);
    };
    const letGo = (event: DragEvent): void => {
      if (!hasFiles(event)) return;
      event.preventDefault();
      setOver(false);
      latest.current?.([...event.dataTransfer!.files]);
    };
    document.addEventListener("dragover", dragged);
    document.addEventListener("dragleave", left);
    document.addEventListener("drop", letGo);
    return () => {
      document.removeEventListener("dragover", dragged);
      document.removeEventListener("dragleave", left);
      document.removeEventListener("drop", letGo);
    };
  }, [takes]);
  return over;
}
