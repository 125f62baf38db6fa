import {mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openSession} from '../../source/commands/cli/session.ts';
import {copyJobText} from '../../source/commands/cron/job-text.ts';
import {readState, stateDirectory} from '../helpers/sluice.ts';
import {temporaryDirectory} from '../helpers/temporary-directory.ts';

const id = '0123456789ab';
const job = {
	id,
	name: 'report',
	prompt: 'What is new?\nSay it briefly.\n',
	schedule: {kind: 'cron', expression: '0 9 * * 1-5', time_zone: 'Europe/Berlin'},
	deliver: 'log',
	deliver_extra: {},
	skills: [],
	enabled: true,
	paused: false,
};
const written = `name: report
schedule: 0 9 * * 1-5
time_zone: Europe/Berlin
prompt: |
  What is new?
  Say it briefly.
deliver: log
skills: []
`;

/** A job in the editor, which is a shell script; $1 is the copy. What the gateway is asked for is listed. */
async function openJob(script: string, change: object = {}) {
	const home = stateDirectory();
	mkdirSync(join(home, 'cron'));
	const store = (entry: object) => writeFileSync(join(home, 'cron', 'jobs.json'), JSON.stringify({jobs: [entry]}));
	store({...job, ...change});
	const editor = join(temporaryDirectory(), 'editor');
	writeFileSync(editor, `#!/bin/sh\n${script}\n`, {mode: 0o700});
	const session = openSession({home, demo: false, dashboard: 'never', readOnly: false, ascii: false}, '0.0.0');
	const variables = {PATH: process.env['PATH'] ?? '', VISUAL: editor};
	const sent: unknown[] = [];
	const text = await copyJobText(
		{...session, environment: {...session.environment, variables}},
		{
			id,
			signal: new AbortController().signal,
			async call(method, params, options) {
				sent.push([method, params, options?.profile]);
				// The result is not looked at.
				return undefined as never;
			},
		},
	);
	onTestFinished(text.remove);
	const copy = () => readFileSync(text.path, 'utf8');
	return {...text, sent, store, stored: () => readState(home, 'cron/jobs.json'), copy};
}

test.each([
	['a cron expression', {}, written],
	[
		'an interval, with all that a job can have',
		{schedule: {kind: 'interval', seconds: 1800}, deliver_extra: {chat_id: 'c'}, skills: ['a'], toolsets: ['b']},
		'name: report\nschedule: every 30m\nprompt: |\n  What is new?\n  Say it briefly.\ndeliver: log\ndeliver_extra:\n  chat_id: c\nskills:\n  - a\ntoolsets:\n  - b\n',
	],
	[
		'one time',
		{schedule: {kind: 'once', at: Date.UTC(2036, 0, 2, 3)}},
		written.replace(/schedule.*\ntime_zone.*\n/u, 'schedule: 2036-01-02T03:00:00.000Z\n'),
	],
])('a job with %s is a text with its settings', async (_, change, text) => {
	const {copy, edit} = await openJob('true', change);
	expect(copy()).toBe(text);
	expect(await edit()).toEqual({kind: 'unchanged'});
});

test.each([
	['a prompt', 's/new/old/', {prompt: 'What is old?\nSay it briefly.\n'}],
	['a schedule', 's/0 9 .*/every 2h/; /time_zone/d', {schedule: 'every 2h'}],
	['a time zone', 's/Berlin/Paris/', {time_zone: 'Europe/Paris'}],
	[
		'a target with its key',
		String.raw`s/deliver: log/deliver: telegram\ndeliver_extra: {chat_id: c}/`,
		{deliver: 'telegram', deliver_extra: {chat_id: 'c'}},
	],
	['lists', String.raw`s/skills.*/skills: [a]\ntoolsets: [b]/`, {skills: ['a'], toolsets: ['b']}],
])('the gateway is given %s that changed, and nothing else', async (_, script, edit) => {
	const opened = await openJob(`sed -i '${script}' "$1"`);
	expect(await opened.edit()).toMatchObject({kind: 'valid', notes: []});
	expect(opened.sent).toEqual([]);
	await opened.write();
	expect(opened.sent).toEqual([['cron.edit', {reference: id, edit}, 'default']]);
});

test('toolsets that were removed are the usual ones again', async () => {
	const opened = await openJob(`sed -i '/toolsets/,$d' "$1"`, {toolsets: ['b']});
	await opened.edit();
	await opened.write();
	expect(opened.sent).toEqual([['cron.edit', {reference: id, edit: {toolsets: []}}, 'default']]);
});

test.each([
	['no YAML', 'echo "a: [" >> "$1"', /^job\.yaml:\d+:\d+: /u],
	['an unknown key', 'echo "promt: x" >> "$1"', /^job\.yaml:9:1: promt: "promt" is not a known key/u],
	['a missing key', `sed -i '/^name/d' "$1"`, /^job\.yaml:\d+:\d+: name/u],
	['an unusable schedule', `sed -i 's/0 9 .*/sometimes/' "$1"`, /"sometimes.*is not a valid schedule/u],
	['an unknown time zone', `sed -i 's/Berlin/Nowhere/' "$1"`, /is not a known time zone/u],
	['an empty name', `sed -i 's/name: report/name: ""/' "$1"`, /A job needs a prompt and a name/u],
])('%s is an error with its place, or with its reason', async (_, script, error) => {
	const {edit, sent} = await openJob(script);
	expect(await edit()).toEqual({kind: 'broken', errors: [expect.stringMatching(error)]});
	expect(sent).toEqual([]);
});

test('nothing is written over a job that changed meanwhile; that it ran is no change', async () => {
	const {edit, write, store, sent} = await openJob(`sed -i 's/new/old/' "$1"`);
	await edit();
	store({...job, last_run_at: 1, last_status: 'ok', next_run_at: 2});
	await write();
	expect(sent).toHaveLength(1);
	store({...job, prompt: 'Other'});
	await expect(write()).rejects.toMatchObject({code: 'config_changed'});
	expect(sent).toHaveLength(1);
});

test('checking a text changes no job', async () => {
	const {edit, stored} = await openJob(`sed -i 's/new/old/' "$1"`);
	const before = stored();
	await edit();
	expect(stored()).toBe(before);
});
