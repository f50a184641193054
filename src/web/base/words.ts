/** "1 venue", "12 venues". */
export const count = (number: number, one: string, many = `${one}s`): string =>
  `${new Intl.NumberFormat("en").format(number)} ${number === 1 ? one : many}`;
