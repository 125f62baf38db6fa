type AnyFunction = (this: unknown, ...input: unknown[]) => unknown;

/** The number of characters or items that one call of a built-in function reads. */
type Cost = (self: unknown, input: readonly unknown[], result: unknown) => number;

const lengthOf = (value: unknown): number => Number(Object(value).length ?? 0);
const sizeOf = (value: unknown): number => Number(Object(value).size ?? 0);
const one: Cost = () => 1;
const whole: Cost = lengthOf;
const allFields: Cost = sizeOf;
const upToHit: Cost = (self, [, from = 0], result) => {
	const hit = Number(result);
	return Math.max(1, (hit === -1 ? lengthOf(self) : hit) - Number(from));
};
const ofResult: Cost = (_self, _input, result) => lengthOf(result);
const searched: Cost = (self, [piece], result) =>
	result === true && typeof self === 'string' ? self.indexOf(String(piece)) + 1 : lengthOf(self);

const costs: ReadonlyArray<readonly [prototype: object, functions: Readonly<Record<string | symbol, Cost>>]> = [
	[
		URLSearchParams.prototype,
		Object.fromEntries(
			['get', 'getAll', 'has', 'keys', 'values', 'entries', 'forEach', Symbol.iterator].map(name => [name, allFields]),
		),
	],
	[
		String.prototype,
		{
			charCodeAt: one,
			codePointAt: one,
			charAt: one,
			indexOf: upToHit,
			includes: searched,
			slice: ofResult,
			substring: ofResult,
			split: whole,
			trim: whole,
			trimEnd: whole,
			trimStart: whole,
			toLowerCase: whole,
			normalize: whole,
			[Symbol.iterator]: whole,
		},
	],
	[
		Array.prototype,
		{
			includes: whole,
			indexOf: upToHit,
			find: whole,
			findIndex: whole,
			filter: whole,
			map: whole,
			flatMap: whole,
			join: ofResult,
			slice: ofResult,
			splice: whole,
			shift: whole,
			unshift: whole,
			concat: ofResult,
		},
	],
];

/** Counts the characters, list members and form fields that built-in functions walk over while `work` runs, which waits for nothing but itself. */
export async function countReads(work: () => unknown): Promise<number> {
	let reads = 0;
	let depth = 0;
	const restore: Array<() => void> = [];
	for (const [prototype, functions] of costs) {
		for (const name of Reflect.ownKeys(functions)) {
			const cost = functions[name];
			const original = Object.getOwnPropertyDescriptor(prototype, name);
			const real = original?.value as AnyFunction | undefined;
			if (!cost || !original || !real) {
				throw new Error(`There is no built-in function ${String(name)}`);
			}

			const counted: AnyFunction = function (...input) {
				const result = Reflect.apply(real, this, input);
				if (depth === 0) {
					depth++;
					reads += cost(this, input, result);
					depth--;
				}

				return result;
			};
			Object.defineProperty(prototype, name, {...original, value: counted});
			restore.unshift(() => Object.defineProperty(prototype, name, original));
		}
	}

	try {
		await work();
	} finally {
		restore.forEach(one => one());
	}

	return reads;
}
