import { whenOf, withoutPlace } from "@belay/core/internal";

export function when(iso: string): string {
  return whenOf(new Date(iso), new Date());
}

export function took(ms: number): string {
  if (ms < 1) return `${ms.toFixed(2)} ms`;
  if (ms < 10) return `${ms.toFixed(1)} ms`;
  return Math.round(ms) < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`;
}

/** The names of hooks without their places; names that would read the same stay whole. */
export function briefNames(hooks: readonly string[]): string[] {
  const brief = hooks.map(withoutPlace);
  const counts = new Map<string, number>();
  for (const name of brief) counts.set(name, (counts.get(name) ?? 0) + 1);
  return brief.map((name, number) => (counts.get(name) === 1 ? name : (hooks[number] ?? name)));
}

/** Items with their numbers as keys, for lists whose items may be equal and whose order never changes. */
export function numbered<T>(items: readonly T[]): { readonly number: number; readonly item: T }[] {
  return items.map((item, number) => ({ number, item }));
}

export function capital(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
