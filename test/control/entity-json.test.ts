import {describe, expect, test} from 'vitest';
import {z} from 'zod';
import {decisionJson} from '../../source/control/history-wire.ts';
import {questionJson} from '../../source/control/question-wire.ts';
import {callRowJson, runDetailJson, runRowJson, uncertainJson} from '../../source/control/run-wire.ts';
import {approvalJson, cronJobJson, eventRowJson, failedDeliveryJson, routeRowJson, ruleJson} from '../../source/control/wire.ts';
import {approvalFields} from '../../source/state/entities/approval.ts';
import {callFields} from '../../source/state/entities/call.ts';
import {decisionFields} from '../../source/state/entities/decision.ts';
import {failedDeliveryFields} from '../../source/state/entities/delivery.ts';
import {type Field} from '../../source/state/entities/entity.ts';
import {eventFields} from '../../source/state/entities/event.ts';
import {jobFields} from '../../source/state/entities/job.ts';
import {type JsonKind} from '../../source/state/entities/json-kind.ts';
import {questionFields} from '../../source/state/entities/question.ts';
import {routeFields} from '../../source/state/entities/route.ts';
import {ruleFields} from '../../source/state/entities/rule.ts';
import {runFields} from '../../source/state/entities/run.ts';
import {uncertainFields} from '../../source/state/entities/uncertain.ts';

const json = z.custom<object>(value => typeof value === 'object' && value !== null);
const origin = z.looseObject({kind: z.string()});
const formField = {name: 'a', title: '', description: '', required: true, kind: 'text'};

/** A value of each kind, and one that is none. */
const samples: Readonly<Record<string, readonly [fits: unknown, misfits: unknown]>> = {
	id: ['a', 1],
	text: ['a', 1],
	name: ['a', 1],
	texts: [['a'], [1]],
	count: [1, 'a'],
	time: [1, 'a'],
	ms: [1, 'a'],
	object: [{a: 1}, 'a'],
	origin: [{kind: 'command-line'}, {}],
	form: [[formField], [{}]],
	run: [{id: 'a', state: 'running'}, {id: 'a'}],
	deliveries: [[{target: 'log', outcome: 'delivered'}], [{target: 'log'}]],
	usage: [{input_tokens: 1, output_tokens: 2}, {}],
};

/** Whether a schema takes the values of a kind and refuses others. */
function isOfKind(schema: z.ZodType, kind: JsonKind): boolean {
	// A member that an older gateway does not send has a default.
	const sent = schema instanceof z.ZodDefault ? schema.removeDefault() : schema;
	const accepts = (value: unknown) => z.safeParse(sent, value).success;
	if (typeof kind !== 'string') {
		return kind.every(accepts) && !accepts('a word that is not one of them') && !accepts(null);
	}

	const base = kind.replace(/-?\?$/u, '');
	const [fits, misfits] = samples[base] ?? [undefined, undefined];
	return (
		accepts(fits) &&
		!accepts(misfits) &&
		accepts(null) === (kind.endsWith('?') && !kind.endsWith('-?')) &&
		accepts(undefined) === kind.endsWith('-?')
	);
}

type Place = 'json' | 'show';

const described: ReadonlyArray<
	readonly [command: string, fields: Readonly<Record<string, Field<never>>>, schema: z.ZodObject, place: Place]
> = [
	['runs list', runFields, runRowJson, 'json'],
	['runs show', runFields, runDetailJson, 'show'],
	['calls list', callFields, callRowJson, 'json'],
	['uncertain list', uncertainFields, uncertainJson, 'json'],
	['events list', eventFields, eventRowJson, 'json'],
	['webhook list', routeFields, routeRowJson, 'json'],
	['cron list', jobFields, cronJobJson, 'json'],
	['rules list', ruleFields, ruleJson, 'json'],
	['approvals list', approvalFields, approvalJson, 'json'],
	['questions list', questionFields, questionJson, 'json'],
	['decisions of a run', decisionFields, decisionJson, 'json'],
	['failed deliveries', failedDeliveryFields, failedDeliveryJson, 'json'],
];

/** Members that are made of other entities, or that lists do not print. */
const byHand: Readonly<Record<string, readonly string[]>> = {
	'runs show': ['calls', 'decisions', 'deliveries', 'trace'],
	'webhook list': ['next_action'],
};

describe.each(described)('%s --json', (command, fields, schema, place) => {
	const members = Object.entries(fields).flatMap(([name, {json: row, show}]) => {
		const kind = row ?? (place === 'show' ? show : undefined);
		return kind === undefined ? [] : [[name, kind] as const];
	});

	test('has the members that its entity describes, in that order', () => {
		const names = Object.keys(schema.shape).filter(name => !byHand[command]?.includes(name));
		expect(names).toEqual(members.map(([name]) => name));
	});

	test.each(members)('%s is of the kind %s', (name, kind) => {
		expect(schema.shape[name]).toSatisfy((member: z.ZodType) => isOfKind(member, kind));
	});
});

test('a kind tells apart null, absence and foreign words', () => {
	expect(isOfKind(z.string(), 'text')).toBe(true);
	expect(isOfKind(z.string(), 'text?')).toBe(false);
	expect(isOfKind(z.string().nullable(), 'text')).toBe(false);
	expect(isOfKind(z.string().optional(), 'text-?')).toBe(true);
	expect(isOfKind(z.string(), ['a'])).toBe(false);
	expect(isOfKind(json, 'object')).toBe(true);
	expect(isOfKind(origin, 'text')).toBe(false);
});
