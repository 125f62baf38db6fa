import {describe, expect, test} from 'vitest';
import {type NodeRow, type RunAbilities} from '../../source/journal/rows/node-rows.ts';
import {type AbleGateway, ableElsewhere, createPlaceRun} from '../../source/runs/run-placement.ts';
import {createFakeClock} from '../helpers/fake-clock.ts';
import {sampleRun} from '../helpers/journal-records.ts';

const nothing: RunAbilities = {servers: [], skills: [], platforms: []};
const run = sampleRun({
	toolsets: ['mcp-garden', 'shed', 'web_search'],
	skills: ['triage'],
	deliver: [{target: 'slack', extra: {}}],
});

/** A gateway with a model for the default profile. */
function node(name: string, has: Partial<RunAbilities> | 'of an older version', facts: object = {}): NodeRow {
	const abilities = has === 'of an older version' ? {} : {abilities: {default: {...nothing, ...has}}};
	return {
		name,
		instanceId: name,
		startedAt: 0,
		seenAt: 0,
		state: 'alive',
		facts: {version: '1', models: ['default'], consoles: [], freeSlots: 1, ...abilities, ...facts},
	};
}

const garden = {servers: ['garden']};

describe('a run is left to', () => {
	test.each<{
		readonly title: string;
		readonly own: RunAbilities | 'no model';
		readonly others: readonly NodeRow[];
		readonly to: string | undefined;
	}>([
		{title: 'one with a server that it names', own: nothing, others: [node('b', garden)], to: 'b: the server garden'},
		{
			title: 'one with a server that it names without the prefix',
			own: nothing,
			others: [node('b', {servers: ['shed']})],
			to: 'b: the server shed',
		},
		{
			title: 'one with its skill',
			own: nothing,
			others: [node('b', {skills: ['triage']})],
			to: 'b: the skill triage',
		},
		{
			title: 'one with its platform',
			own: nothing,
			others: [node('b', {platforms: ['slack']})],
			to: 'b: the platform slack',
		},
		{
			title: 'the one that can do most',
			own: {...nothing, ...garden},
			others: [node('b', garden), node('c', {...garden, skills: ['triage'], platforms: ['slack']})],
			to: 'c: the skill triage, the platform slack',
		},
		{
			title: 'one with a free slot, of two that can do the same',
			own: nothing,
			others: [node('b', garden, {freeSlots: 0}), node('c', garden)],
			to: 'c: the server garden',
		},
		{
			title: 'any with a model, when there is none here',
			own: 'no model',
			others: [node('b', 'of an older version')],
			to: 'b: a model',
		},
		{
			title: 'nobody, when others can only do as much',
			own: {...nothing, servers: ['shed']},
			others: [node('b', garden)],
			to: undefined,
		},
		{
			title: 'nobody for what it does not name',
			own: nothing,
			others: [node('b', {servers: ['files'], skills: ['other'], platforms: ['teams']})],
			to: undefined,
		},
		{
			title: 'nobody without a model for its profile',
			own: nothing,
			others: [node('b', garden, {models: ['work']})],
			to: undefined,
		},
		{
			title: 'nobody who has it in another profile',
			own: nothing,
			others: [node('b', nothing, {abilities: {work: {...nothing, ...garden}}})],
			to: undefined,
		},
		{title: 'nobody of an older version', own: nothing, others: [node('b', 'of an older version')], to: undefined},
	])('$title', ({own, others, to}) => {
		const able = ableElsewhere(run, {own, others});
		expect(able && `${able.node}: ${able.lacking.join(', ')}`).toBe(to);
	});

	test('nobody when it names no toolset: the default ones hold no run', () => {
		const {toolsets: _, ...unnamed} = run;
		expect(ableElsewhere(unnamed, {own: nothing, others: [node('b', garden)]})).toBeUndefined();
	});
});

describe('a run that another gateway can do more of', () => {
	function openPlaces() {
		const clock = createFakeClock();
		let able: AbleGateway | undefined = {node: 'b', slots: 'free', lacking: ['the server garden']};
		const place = createPlaceRun({clock, find: () => able, unplacedMilliseconds: () => 10_000});
		/** Looks once a second. */
		const looks = async (seconds: number) => {
			const kinds: string[] = [];
			for (let second = 0; second < seconds; second++) {
				await clock.advance(1000);
				kinds.push(place(run, 'here').kind);
			}

			return kinds.at(-1);
		};

		return {
			clock,
			looks,
			look: () => place(run, 'here').kind,
			reason: () => place(run, 'here'),
			set: (next: Partial<AbleGateway> | undefined) => {
				able = next && {node: 'b', slots: 'free', lacking: ['the server garden'], ...next};
			},
		};
	}

	test('goes to the inbox with the reason, once that one had a free slot for the whole time and did not take it', async () => {
		const {clock, look, looks, reason} = openPlaces();
		expect([look(), await looks(9)]).toEqual(['elsewhere', 'elsewhere']);
		await clock.advance(1000);
		expect(reason()).toEqual({
			kind: 'inbox',
			reason: 'this gateway lacks the server garden; b has it and did not take the run within 10 s',
		});
	});

	test('waits on while that one has no free slot, or nobody looks, as during a hold', async () => {
		const {clock, look, looks, set} = openPlaces();
		expect([look(), await looks(5)]).toEqual(['elsewhere', 'elsewhere']);
		set({slots: 'taken'});
		expect(await looks(20)).toBe('elsewhere');
		set({});
		await clock.advance(600_000);
		expect([look(), await looks(4)]).toEqual(['elsewhere', 'elsewhere']);
		expect(await looks(1)).toBe('inbox');
	});

	test('begins here once that one is gone', () => {
		const {look, set} = openPlaces();
		expect(look()).toBe('elsewhere');
		set(undefined);
		expect(look()).toBe('here');
	});
});
