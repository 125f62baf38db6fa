import {memoize} from './memoize.ts';

/** `minimumLength` as `minimum_length`. The names of the program are few, so each is converted once. */
export const snakeCase: (name: string) => string = memoize(name =>
	name.replaceAll(/[A-Z]/gu, letter => `_${letter.toLowerCase()}`),
);
