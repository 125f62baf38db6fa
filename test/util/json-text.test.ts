import * as fc from 'fast-check';
import {describe, expect, test} from 'vitest';
import {
	cutText,
	hasRepeatedName,
	lossInJson,
	lossInValue,
	indentJson,
	isJsonObject,
	isDeeperThan,
	jsonHead,
	type JsonValue,
	ownMember,
	textsOfItems,
	parseJson,
} from '../../source/util/json-text.ts';

describe('isJsonObject', () => {
	test.each([
		[{}, true],
		[[], false],
		[null, false],
		['{}', false],
		[undefined, false],
	])('answers for %j: %j', (value, isObject) => {
		expect(isJsonObject(value)).toBe(isObject);
	});
});

describe('hasRepeatedName', () => {
	test.each([
		['{"a": 1, "a": 2}', true],
		['[{"a": {"b": [], "\\u0062" : 1}}]', true],
		['{"__proto__": 1, "__proto__": 1}', true],
		['{"": 1, "": 1}', true],
		['{"a": {"a": [{"a": "a"}]}, "b\\":": "\\\\", "c": "\\"a\\":"}', false],
		['["a", ":", "a:"]', false],
		['"a:"', false],
		['{"a": 1, "a": 2', false],
		[`${'['.repeat(50_000)}${']'.repeat(50_000)}`, false],
		[`{"a": [${'1,'.repeat(200_000)}1], "b": "${'\\\\'.repeat(500_000)}"}`, false],
	])('answers for %.80s: %j', (text, isRepeated) => {
		expect(hasRepeatedName(text)).toBe(isRepeated);
	});
});

describe('lossInJson', () => {
	test.each([
		'9007199254740993',
		'-9007199254740993',
		'1E400',
		'-1e400',
		'12345678901234567890',
		'100000000000000000000001',
		'{"a": [1, {"b": 9007199254740993}]}',
		`[${'9'.repeat(400)}]`,
		'{"a":9007199254740993 }',
	])('finds a number in %s that would be changed', text => {
		expect(lossInJson(text)).toMatch(
			/^The number -?[\dE+-]{5,40} is too large or too exact to be passed on unchanged/iu,
		);
	});

	test.each([
		'9007199254740992',
		'9007199254740994',
		'1152921504606846976',
		'1152921504606847000',
		'-0',
		'0.1',
		'1.0',
		'1e2',
		'1E+2',
		'0.30000000000000004',
		'100e-2',
		'5e-324',
		'1e-400',
		'1.7976931348623157e308',
		'"9007199254740993"',
		'{"9007199254740993": "\\"9007199254740993"}',
		'[1, 2]',
		'null',
		'9007199254740993,',
		'{"a": 1',
	])('finds nothing in %s', text => {
		expect(lossInJson(text)).toBeUndefined();
	});

	test.each(['{"a": 1, "a": 1}', '[{"a": {"b": 1, "\\u0062": 1}}]'])('finds a name twice in %s', text => {
		expect(lossInJson(text)).toBe('An object contains the same name twice');
	});

	test.each(['{"__proto__": 1}', '[{"a": {"\\u005f_proto__": {"x": 1}}}]', '{"a": [[{"__proto__": null}]]}'])(
		'finds the member that libraries leave out in %s',
		text => {
			expect(lossInJson(text)).toContain('__proto__');
			expect(lossInValue(JSON.parse(text))).toContain('__proto__');
		},
	);

	test.each(['"__proto__"', '{"a": "__proto__"}', '{"proto": 1, "constructor": {"prototype": 1}}', '[]'])(
		'finds no such member in %s',
		text => {
			expect([lossInJson(text), lossInValue(JSON.parse(text))]).toEqual([undefined, undefined]);
		},
	);

	test('finds nothing in what JSON.stringify has written, unless a member is named __proto__', () => {
		fc.assert(
			fc.property(fc.jsonValue(), value => {
				const text = JSON.stringify(value);
				fc.pre(!text.includes('"__proto__":'));
				expect(lossInJson(text)).toBeUndefined();
			}),
		);
		fc.assert(
			fc.property(fc.double({noNaN: true, noDefaultInfinity: true}), number => {
				expect(lossInJson(JSON.stringify([number, -number]))).toBeUndefined();
			}),
		);
	});

	test('finds every whole number that is not the one that is read', () => {
		fc.assert(
			fc.property(fc.bigInt({min: -(10n ** 30n), max: 10n ** 30n}), whole => {
				const isSame = BigInt(Number(whole)) === whole || String(Number(whole)) === String(whole);
				expect(lossInJson(`{"n": ${whole}}`) === undefined).toBe(isSame);
			}),
		);
	});
});

describe('textsOfItems', () => {
	test.each([
		[' [ ] ', []],
		['[1]', ['1']],
		['[{"a": [1, 2]}, "],[\\"" ,[[]], {}]', ['{"a": [1, 2]}', ' "],[\\"" ', '[[]]', ' {}']],
	])('cuts %s', (text, items) => {
		expect(textsOfItems(text)).toEqual(items);
	});

	test('cuts every list into texts of its items', () => {
		fc.assert(
			fc.property(fc.array(fc.jsonValue()), fc.nat(2), (list, indent) => {
				expect(textsOfItems(JSON.stringify(list, null, indent)).map(text => JSON.parse(text))).toEqual(
					JSON.parse(JSON.stringify(list)),
				);
			}),
		);
	});
});

describe('ownMember', () => {
	test('finds a member of any name', () => {
		expect(ownMember(JSON.parse('{"__proto__": 1}'), '__proto__')).toBe(1);
	});

	test.each(['constructor', '__proto__', 'toString'])('never finds the inherited member %s', name => {
		expect(ownMember({}, name)).toBeUndefined();
	});
});

describe('parseJson', () => {
	test('reads back every JSON value', () => {
		fc.assert(
			fc.property(fc.jsonValue(), value => {
				const text = JSON.stringify(value);
				expect(parseJson(text)).toEqual(JSON.parse(text));
			}),
		);
	});

	test.each(['', '{', 'undefined', '{"a":1} x'])('answers undefined for %j', text => {
		expect(parseJson(text)).toBeUndefined();
	});
});

test('indentJson indents by two blanks', () => {
	expect(indentJson({a: [1]})).toBe('{\n  "a": [\n    1\n  ]\n}');
});

describe('cutText', () => {
	test.each([
		['abc', 3, 'abc'],
		['abc', 2, 'ab'],
		['🙂🙂🙂', 2, '🙂🙂'],
		['🙂🙂', 2, '🙂🙂'],
		['a🙂b', 2, 'a🙂'],
		['abc', 0, ''],
	])('cuts %j at %i: %j', (text, maximum, cut) => {
		expect(cutText(text, maximum)).toBe(cut);
	});

	test('keeps whole code points, as many as allowed', () => {
		fc.assert(
			fc.property(fc.string({unit: fc.constantFrom('a', 'é', '🙂', '\uD83D')}), fc.nat(20), (text, maximum) => {
				expect(cutText(text, maximum)).toBe(Array.from(text).slice(0, maximum).join(''));
			}),
		);
	});
});

describe('jsonHead', () => {
	test('is the beginning of the whole text, indented or not', () => {
		fc.assert(
			fc.property(
				fc.jsonValue(),
				fc.integer({min: 1, max: 60}),
				fc.constantFrom(undefined, 2),
				(json, most, indent) => {
					const value = json as JsonValue;
					expect(jsonHead(value, most, indent)).toBe(cutText(JSON.stringify(value, null, indent), most));
				},
			),
		);
	});

	test('does not look at what lies behind it', () => {
		let looked = 0;
		const item = {
			get member() {
				looked++;
				return 'text';
			},
		};
		expect(
			jsonHead(
				Array.from({length: 10_000}, () => item),
				100,
			),
		).toHaveLength(100);
		expect(looked).toBeLessThan(201);
	});
});

describe('isDeeperThan', () => {
	test.each<[JsonValue, number]>([
		[1, 0],
		[{}, 1],
		[{a: 1}, 1],
		[[[]], 2],
		[{a: 1, b: [{}]}, 3],
		[[[1], 1], 2],
	])('%j has %i levels', (value, levels) => {
		expect([isDeeperThan(value, levels - 1), isDeeperThan(value, levels)]).toEqual([levels > 0, false]);
	});

	test('does not exhaust the stack', () => {
		let value: JsonValue = [];
		for (let level = 1; level < 100_000; level++) {
			value = [value];
		}

		expect(isDeeperThan(value, 1000)).toBe(true);
	});
});
