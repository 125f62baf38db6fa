import {describe, expect, test} from 'vitest';
import {passedMeta} from '../../../source/mcp/protocol/passed-meta.ts';
import {narrowDefinition} from '../../../source/mcp/protocol/tool-listing.ts';
import {type JsonValue} from '../../../source/util/json-text.ts';

const deep = (levels: number): JsonValue => (levels === 0 ? {} : {a: deep(levels - 1)});

describe('the members of _meta that are passed on', () => {
	test.each<{what: string; meta: JsonValue | undefined; passed: JsonValue | undefined}>([
		{what: 'nothing', meta: undefined, passed: undefined},
		{what: 'a text', meta: 'ui', passed: undefined},
		{what: 'unknown members', meta: {'vendor/x': 1, progressToken: 2}, passed: undefined},
		{what: 'known among unknown', meta: {ui: {resourceUri: 'ui://a'}, x: 1}, passed: {ui: {resourceUri: 'ui://a'}}},
		{what: 'one too large', meta: {ui: {text: 'x'.repeat(20_000)}}, passed: undefined},
		{what: 'one too deep', meta: {ui: deep(30)}, passed: undefined},
	])('of $what', ({meta, passed}) => {
		expect(passedMeta(meta)).toEqual(passed);
	});
});

describe('the definition of a tool', () => {
	const plain = {name: 'x', inputSchema: {type: 'object'}};
	const icon = {src: 'https://example.test/x.png', sizes: ['48x48']};

	test.each<{what: string; more: object; kept: object}>([
		{what: 'icons', more: {icons: [icon]}, kept: {icons: [icon]}},
		{what: 'no icons without a source', more: {icons: [{sizes: ['1x1']}]}, kept: {}},
		{what: 'no icon that is too large', more: {icons: [{src: `data:,${'x'.repeat(20_000)}`}]}, kept: {}},
		{what: 'no list of too many icons', more: {icons: Array.from({length: 9}, () => icon)}, kept: {}},
		{what: 'known members of _meta', more: {_meta: {ui: {}, x: 1}}, kept: {_meta: {ui: {}}}},
		{what: 'no unknown members of _meta', more: {_meta: {x: 1}}, kept: {}},
	])('has $what', ({more, kept}) => {
		expect(narrowDefinition({...plain, ...more})).toStrictEqual({...plain, ...kept});
	});
});
