import {chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {expect, onTestFinished, test} from 'vitest';
import {openSession} from '../../../source/commands/cli/session.ts';
import {openLocalPrograms} from '../../../source/commands/gateway/local-programs.ts';
import {parseApprovals} from '../../../source/config/read/settings.ts';
import {sectionWithoutFile} from '../../../source/config/values/section.ts';
import {type CallGateway} from '../../../source/state/api.ts';
import {readState, stateDirectory} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

const config = `mcp_servers:
  files: {command: x}
platforms:
  telegram: {token: t}
  webhook:
    routes:
      push: {prompt: hello}
approvals:
  rules:
    - {action: deny, tool: a}
    - {action: deny, tool: b}
`;
const files = {kind: 'server', name: 'files', profile: 'default'} as const;

const {rules} = parseApprovals(
	{
		rules: [
			{action: 'deny', tool: 'a'},
			{action: 'deny', tool: 'b'},
		],
	},
	sectionWithoutFile('x'),
);
const ruleIds = rules.kind === 'valid' ? rules.rules.map(({id}) => id) : [];

const unused: CallGateway = async () => expect.fail('the gateway is not asked');

/** The programs of a state directory; the editor is a shell script, named as one that takes a line, and $3 is the copy. */
function openPrograms(home: string, script: string, profile?: string) {
	const folder = temporaryDirectory();
	const editor = join(folder, 'vi');
	writeFileSync(editor, `#!/bin/sh\n${script}\n`, {mode: 0o700});
	const flags = {home, demo: false, dashboard: 'never', readOnly: false, ascii: false} as const;
	const session = openSession({...flags, ...(profile !== undefined && {profile})}, '0.0.0');
	const variables = {PATH: process.env['PATH'] ?? '', VISUAL: editor, FOLDER: folder};
	const lines: string[] = [];
	const programs = openLocalPrograms(
		{...session, environment: {...session.environment, variables}},
		{warn: line => void lines.push(line), call: unused},
	);
	const kept: string[] = [];
	const write = async () => {
		const end = await programs.write();
		kept.push(...(end.kind === 'unwritten' ? [end.path] : []));
		return end;
	};

	const close = async () => {
		const path = await programs.close();
		kept.push(...(path === undefined ? [] : [path]));
		return path;
	};

	onTestFinished(async () => {
		await close();
		kept.forEach(path => rmSync(dirname(path), {recursive: true, force: true}));
	});
	return {...programs, write, close, lines, folder, notes: () => readFileSync(join(folder, 'notes'), 'utf8')};
}

test.each([
	['a server', files, 2],
	['a platform', {...files, kind: 'platform', name: 'telegram'}, 4],
	['a route', {...files, kind: 'route', name: 'push'}, 7],
] as const)('the editor opens at the line of %s', async (_, entry, line) => {
	const {edit, notes} = openPrograms(stateDirectory(config), 'echo "$1 $2" > "$FOLDER/notes"');
	expect(await edit(entry)).toEqual({kind: 'unchanged'});
	expect(notes()).toBe(`-c ${line}\n`);
});

test('it opens at the line of a rule, by its id', async () => {
	const {edit, notes} = openPrograms(stateDirectory(config), 'echo "$1 $2" > "$FOLDER/notes"');
	const [, rule] = ruleIds;
	expect(await edit({kind: 'rule', name: rule ?? '', profile: 'default'})).toEqual({kind: 'unchanged'});
	expect(notes()).toBe('-c 11\n');
});

test('an entry that the file lacks is not edited: it may be one of another machine', async () => {
	const {edit, folder} = openPrograms(stateDirectory(config), 'echo x > "$FOLDER/notes"');
	for (const kind of ['server', 'route', 'platform', 'rule'] as const) {
		expect(await edit({kind, name: 'toString', profile: 'default'})).toEqual({
			kind: 'refused',
			reason: expect.stringContaining(`config.yaml has no ${kind}`),
		});
	}

	expect(existsSync(join(folder, 'notes'))).toBe(false);
});

test('the file of the entry is that of its profile', async () => {
	const home = stateDirectory(config);
	mkdirSync(join(home, 'profiles', 'work'), {recursive: true});
	writeFileSync(join(home, 'profiles', 'work', 'config.yaml'), 'mcp_servers: {other: {command: x}}\n');
	const {edit, write} = openPrograms(home, 'echo "# mine" >> "$3"');
	expect(await edit({...files, name: 'other', profile: 'work'})).toMatchObject({kind: 'valid'});
	expect(await write()).toEqual({kind: 'written'});
	expect(readState(home, 'profiles/work/config.yaml')).toContain('# mine');
	expect(readState(home, 'config.yaml')).toBe(config);
	expect(await edit({...files, profile: '../x'})).toMatchObject({kind: 'refused'});
});

test('errors come with their lines, and the editor opens again at the first of them, with the text', async () => {
	const home = stateDirectory(config);
	const {edit, editAgain, write, notes} = openPrograms(
		home,
		`echo "$2" >> "$FOLDER/notes"; grep -q bad "$3" && sed -i '/bad/d; s/x}/y}/' "$3" || echo 'bad: [' >> "$3"`,
	);
	expect(await edit(files)).toEqual({kind: 'broken', errors: [expect.stringMatching(/^config\.yaml:1[23]:\d+: /u)]});
	expect(await editAgain()).toEqual({
		kind: 'valid',
		difference: expect.stringContaining('+   files: {command: y}'),
		notes: [],
	});
	expect(notes()).toMatch(/^2\n1[23]\n$/u);
	expect(readState(home, 'config.yaml')).toBe(config);
	expect(await write()).toEqual({kind: 'written'});
	expect(readState(home, 'config.yaml')).toBe(config.replace('x}', 'y}'));
});

test('nothing is written over a file that changed meanwhile, and the text stays', async () => {
	const home = stateDirectory(config);
	const {edit, write} = openPrograms(home, 'echo "# mine" >> "$3"');
	expect(await edit(files)).toMatchObject({kind: 'valid'});
	writeFileSync(join(home, 'config.yaml'), 'agent: {}\n');
	const end = await write();
	expect(end).toMatchObject({kind: 'unwritten', reason: expect.stringContaining('has changed since it was read')});
	expect(readState(home, 'config.yaml')).toBe('agent: {}\n');
	expect(end.kind === 'unwritten' && readFileSync(end.path, 'utf8')).toBe(`${config}# mine\n`);
});

test('under `approvals.cli: deny` what commands may not change is not written', async () => {
	const home = stateDirectory(`${config}  cli: deny\n`);
	const {edit, write} = openPrograms(home, `sed -i 's/cli: deny/cli: allow/' "$3"`);
	expect(await edit(files)).toMatchObject({kind: 'valid'});
	expect(await write()).toMatchObject({kind: 'unwritten', reason: expect.stringContaining('`approvals`')});
});

test('a dropped text leaves nothing behind, and the next edit begins with the file', async () => {
	const {edit, discard, folder} = openPrograms(
		stateDirectory(config),
		'dirname "$3" >> "$FOLDER/notes"; echo "# x" >> "$3"',
	);
	expect(await edit(files)).toMatchObject({kind: 'valid', difference: expect.stringMatching(/\+ # x/u)});
	discard();
	const copies = () => readFileSync(join(folder, 'notes'), 'utf8').trim().split('\n');
	await expect.poll(() => copies().map(path => existsSync(path))).toEqual([false]);
	expect(await edit(files)).toMatchObject({kind: 'valid'});
	expect(copies().map(path => existsSync(path))).toEqual([false, true]);
});

test('an editor that fails leaves the text that there was before it', async () => {
	const {edit, editAgain, lines} = openPrograms(
		stateDirectory(config),
		'[ -e "$FOLDER/notes" ] && exit 3; echo > "$FOLDER/notes"; echo "bad: [" >> "$3"',
	);
	const broken = await edit(files);
	expect(broken.kind).toBe('broken');
	expect(await editAgain()).toEqual(broken);
	expect(lines).toEqual([expect.stringContaining('ended with code 3; nothing was written')]);
});

test.each([
	['that is missing', '/no/such/editor', 'was not found'],
	['whose quote is open', "'vi", 'has a quote that is never closed'],
])('an editor %s is refused with the reason', async (_, editor, reason) => {
	const session = openSession(
		{home: stateDirectory(config), demo: false, dashboard: 'never', readOnly: false, ascii: false},
		'0',
	);
	const environment = {...session.environment, variables: {PATH: '/usr/bin', VISUAL: editor}};
	const {edit} = openLocalPrograms({...session, environment}, {warn() {}, call: unused});
	expect(await edit(files)).toEqual({kind: 'refused', reason: expect.stringContaining(reason)});
});

test.skipIf(process.getuid?.() === 0)('a file that this process may not write is not edited', async () => {
	const home = stateDirectory(config);
	const {edit} = openPrograms(home, 'true');
	chmodSync(join(home, 'config.yaml'), 0o400);
	expect(await edit(files)).toMatchObject({kind: 'refused', reason: expect.stringContaining('no permission')});
});

test('the end ends the editor, and keeps a text that it has changed', async () => {
	const {edit, close, folder} = openPrograms(
		stateDirectory(config),
		`echo "# mine" >> "$3"; echo "$3" > "$FOLDER/notes"; exec sleep 100`,
	);
	const edited = edit(files);
	await expect.poll(() => readdirSync(folder)).toContain('notes');
	const path = await close();
	expect(await edited).toMatchObject({kind: 'refused', reason: expect.stringContaining('ended by SIGHUP')});
	expect(readFileSync(path ?? '', 'utf8')).toBe(`${config}# mine\n`);
	const untouched = openPrograms(stateDirectory(config), 'dirname "$3" > "$FOLDER/notes"; exec sleep 100');
	const other = untouched.edit(files);
	await expect.poll(() => readdirSync(untouched.folder)).toContain('notes');
	expect(await untouched.close()).toBeUndefined();
	await other;
	expect(existsSync(untouched.notes().trim())).toBe(false);
});

test('own keys are those of the state directory itself, also in a profile', () => {
	const home = stateDirectory(config);
	const write = (folder: string, key: string) => {
		mkdirSync(join(home, folder), {recursive: true});
		const keys = [{key, title: key, command: ['true']}];
		writeFileSync(join(home, folder, 'preferences.json'), JSON.stringify({keys}), {mode: 0o600});
	};

	write('.', 'J');
	write('profiles/work', 'X');
	expect(openPrograms(home, 'true', 'work').keys.map(({key}) => key)).toEqual(['J']);
	chmodSync(join(home, 'preferences.json'), 0o666);
	const {keys, lines} = openPrograms(home, 'true', 'work');
	expect([keys, lines]).toEqual([[], [expect.stringContaining('may be written by others')]]);
});

test.each([
	[
		'prints',
		['sh', '-c', String.raw`printf 'a\033[2Jb\n'; echo e >&2`],
		{outcome: 'done', words: 'is done', output: 'a␛[2Jb\n', errors: 'e\n'},
	],
	['fails', ['sh', '-c', 'exit 3'], {outcome: 'failed', words: 'ended with code 3', output: '', errors: ''}],
	[
		'is missing',
		['/no/such'],
		{outcome: 'failed', words: expect.stringContaining('could not be started'), output: '', errors: ''},
	],
	[
		'prints without end',
		['yes'],
		{outcome: 'failed', words: 'was ended: it printed more than 1 MB', output: '', errors: ''},
	],
	[
		'gets its words as they are',
		['printf', '%s|', '$HOME', 'a b', '*'],
		{outcome: 'done', words: 'is done', output: '$HOME|a b|*|', errors: ''},
	],
] as const)('a command that %s says so', async (_, [program, ...args], end) => {
	const {run} = openPrograms(stateDirectory(config), 'true');
	expect(await run([program, ...args], new AbortController().signal)).toEqual(end);
});

test('a command ends with its signal, and with all that it has started', async () => {
	const {run, folder} = openPrograms(stateDirectory(config), 'true');
	const controller = new AbortController();
	const end = run(['sh', '-c', `sleep 100 & echo $! > ${folder}/pid; wait`], controller.signal);
	await expect.poll(() => readdirSync(folder)).toContain('pid');
	await expect.poll(() => readFileSync(join(folder, 'pid'), 'utf8')).not.toBe('');
	controller.abort();
	expect((await end).words).toBe('was ended');
	const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
	await expect.poll(() => isAlive(pid)).toBe(false);
});

function isAlive(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
