import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {hashJson} from '../../source/util/json-hash.ts';
import {isJsonObject, type JsonValue} from '../../source/util/json-text.ts';

function reversed(value: JsonValue): JsonValue {
	if (Array.isArray(value)) {
		return value.map(reversed);
	}

	return isJsonObject(value)
		? Object.fromEntries(
				Object.entries(value)
					.reverse()
					.map(([name, member]) => [name, reversed(member)]),
			)
		: value;
}

const json = fc.jsonValue().map(value => JSON.parse(JSON.stringify(value)) as JsonValue);

describe('hashJson', () => {
	test('does not depend on the order of members, at any depth', () => {
		fc.assert(
			fc.property(json, value => {
				expect(hashJson(reversed(value))).toBe(hashJson(value));
			}),
		);
	});

	test.each<[JsonValue, JsonValue]>([
		[{a: 1}, {a: 2}],
		[{a: 1}, {b: 1}],
		[{a: 1}, {a: '1'}],
		[{a: null}, {}],
		[
			[1, 2],
			[2, 1],
		],
		[{a: {b: 1}}, {a: {}, b: 1}],
		[[], {}],
		['1', 1],
	])('differs for %j and %j', (first, second) => {
		expect(hashJson(first)).not.toBe(hashJson(second));
	});

	test('counts a member named __proto__', () => {
		expect(hashJson(JSON.parse('{"__proto__": {"a": 1}}'))).not.toBe(hashJson({}));
	});

	test('is the SHA-256 of the JSON', () => {
		expect(hashJson({})).toBe('44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a');
	});
});
