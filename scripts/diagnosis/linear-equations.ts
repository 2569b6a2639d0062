/** Solves `matrix * x = right` for a symmetric matrix that is positive definite, by elimination. */
export function solved(matrix: readonly (readonly number[])[], right: readonly number[]): readonly number[] {
  const rows = matrix.map((row, at) => [...row, right[at] ?? 0]);
  rows.forEach((pivot, at) => {
    const scale = pivot[at] ?? 1;
    pivot.forEach((value, column) => (pivot[column] = value / scale));
    for (const other of rows) {
      if (other === pivot) continue;
      const factor = other[at] ?? 0;
      pivot.forEach((value, column) => (other[column] = (other[column] ?? 0) - factor * value));
    }
  });
  return rows.map((row) => row.at(-1) ?? 0);
}
