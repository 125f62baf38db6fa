import {chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join} from 'node:path';
import {onTestFinished} from '../../helpers/on-test-finished.ts';
import {runSluice} from '../../helpers/run-sluice.ts';
import {type Ending, stateDirectory} from '../../helpers/sluice.ts';
import {temporaryDirectory} from '../../helpers/temporary-directory.ts';

/** The answers of a service manager's programs, beyond their usual ones. */
export type Answers = {
	/** By the first word behind the flags: `enable`, `show-user`, … */
	readonly [word: string]: {readonly code: number; readonly stdout?: string; readonly stderr?: string};
};

/*
`systemctl` where it changes something, `loginctl`, `journalctl` and `launchctl` in one. It records how it was called, answers what the test asks for, and else behaves
as the real one as far as a service needs: it starts what the file says, knows whether that runs, and stops it.
*/
const script = String.raw`
const {appendFileSync, existsSync, openSync, readFileSync, writeFileSync} = require('node:fs');
const {execFileSync, spawn} = require('node:child_process');
const {basename, join} = require('node:path');

const state = process.env.FAKE_STATE;
const called = basename(process.argv[1]).replace('-changes', '');
const args = process.argv.slice(2);
appendFileSync(join(state, 'calls'), JSON.stringify([called, ...args]) + '\n');
const answers = JSON.parse(readFileSync(join(state, 'answers.json'), 'utf8'));
const word = args.find(one => !one.startsWith('-')) ?? called;
const given = answers[word] ?? answers[called];
if (given) end(given);

const read = (name, fallback = '') => existsSync(join(state, name)) ? readFileSync(join(state, name), 'utf8') : fallback;
const write = (name, text) => writeFileSync(join(state, name), text);
const pid = () => Number(read('pid', '0'));
const alive = () => { try { return pid() > 0 && process.kill(pid(), 0) && !/^\d+ \(.*\) Z/.test(readFileSync('/proc/' + pid() + '/stat', 'utf8')); } catch { return false; } };

function end({code = 0, stdout = '', stderr = ''}) {
	process.stdout.write(stdout);
	process.stderr.write(stderr);
	process.exit(code);
}

function start([program, ...words], env) {
	if (alive()) return;
	const out = openSync(join(state, 'log'), 'a');
	const child = spawn(program, words, {env: {...process.env, ...env}, stdio: ['ignore', out, out], detached: true});
	write('pid', String(child.pid));
	child.unref();
}

function stop() {
	if (alive()) process.kill(pid(), 'SIGTERM');
	while (alive()) execFileSync('sleep', ['0.02']);
	write('pid', '0');
}

function unit(name) {
	const text = readFileSync(join(process.env.XDG_CONFIG_HOME, 'systemd/user', name), 'utf8');
	const line = /^ExecStart=(.*)$/m.exec(text)[1];
	return [...line.matchAll(/"((?:\\.|[^"])*)"|(\S+)/g)].map(([, quoted, bare]) =>
		(quoted ?? bare).replace(/\\(.)/g, '$1').replaceAll('%%', '%').replaceAll('$$', '$'));
}

function agent(path) {
	const text = readFileSync(path, 'utf8');
	const list = /<key>ProgramArguments<\/key>\s*<array>([\s\S]*?)<\/array>/.exec(text)[1];
	return [...list.matchAll(/<string>(.*)<\/string>/g)].map(([, one]) => one.replaceAll('&lt;', '<').replaceAll('&amp;', '&'));
}

const [,, ...rest] = [0, 0, ...args.filter(one => !one.startsWith('-'))];
if (called === 'systemctl') {
	if (word === 'enable') { write('enabled', 'enabled'); start(unit(rest[1])); }
	if (word === 'restart') { stop(); start(unit(rest[1])); }
	if (word === 'disable') { write('enabled', 'disabled'); stop(); }
}
if (called === 'journalctl') end({stdout: read('log')});
if (called === 'loginctl') end({stdout: 'no\n'});
if (called === 'launchctl') {
	const loaded = read('loaded') !== '';
	if (word === 'print' && /^gui\/\d+$/.test(rest[1])) end({stdout: 'gui = {}\n'});
	if (word === 'print') end(loaded ? {stdout: rest[1] + ' = {\n\tstate = ' + (alive() ? 'running' : 'spawn scheduled') + '\n' + (alive() ? '\tpid = ' + pid() + '\n' : '') + '\tlast exit code = ' + (alive() ? '(never exited)' : '1') + '\n}\n'} : {code: 113, stderr: 'Could not find service\n'});
	if (word === 'bootstrap') { write('loaded', 'yes'); start(agent(rest[2])); }
	if (word === 'bootout') { stop(); write('loaded', ''); }
}
end({});
`;

/*
What an installation asks `systemctl` again and again, in a language that starts in a moment. The rest is left to the script above, and so are
the answers that a test asks for.
*/
const looks = String.raw`
IFS= read -r answers <"$FAKE_STATE/answers.json"
case "$answers $*" in
*'"show"'* | *'"daemon-reload"'* | *'"systemctl"'*) exec "$0-changes" "$@" ;;
*' show '* | *' daemon-reload') ;;
*) exec "$0-changes" "$@" ;;
esac

call='["systemctl"'
for word in "$@"; do call="$call,\"$word\""; done
echo "$call]" >>"$FAKE_STATE/calls"
case "$*" in
*daemon-reload) exit ;;
*'show --property'*) echo Version=252; exit ;;
esac

pid=0
enabled=disabled
[ ! -e "$FAKE_STATE/pid" ] || read -r pid <"$FAKE_STATE/pid"
[ ! -e "$FAKE_STATE/enabled" ] || read -r enabled <"$FAKE_STATE/enabled"
printf '%s\n' LoadState=loaded UnitFileState=$enabled
if [ "$pid" -gt 0 ] && kill -0 "$pid" 2>/dev/null && ! grep -q '^State:.*Z' "/proc/$pid/status"; then
	IFS=. read -r seconds rest </proc/uptime
	printf '%s\n' ActiveState=active SubState=running MainPID=$pid ActiveEnterTimestampMonotonic=$((seconds - 60))000000 Result=success ExecMainStatus=0
elif [ "$pid" -gt 0 ]; then
	printf '%s\n' ActiveState=activating SubState=auto-restart MainPID=0 ActiveEnterTimestampMonotonic=0 Result=exit-code ExecMainStatus=1
else
	printf '%s\n' ActiveState=inactive SubState=dead MainPID=0 ActiveEnterTimestampMonotonic=0 Result=success ExecMainStatus=0
fi
`;

/** Programs of a service manager at the head of a PATH. What they started is ended with the test. */
export function fakeManagers(answers: Answers = {}) {
	const folder = temporaryDirectory();
	const bin = join(folder, 'bin');
	const state = join(folder, 'state');
	[bin, state].forEach(path => mkdirSync(path));
	const answer = (next: Answers) => writeFileSync(join(state, 'answers.json'), JSON.stringify(next));
	answer(answers);
	const programs = {
		...Object.fromEntries(
			['systemctl-changes', 'loginctl', 'journalctl', 'launchctl'].map(name => [
				name,
				`${process.execPath}\n${script}`,
			]),
		),
		systemctl: `/bin/sh\n${looks}`,
	};
	for (const [name, text] of Object.entries(programs)) {
		writeFileSync(join(bin, name), `#!${text}`);
		chmodSync(join(bin, name), 0o755);
	}

	const pid = () => (existsSync(join(state, 'pid')) ? Number(readFileSync(join(state, 'pid'), 'utf8')) : 0);
	onTestFinished(() => {
		try {
			return pid() > 0 && process.kill(pid(), 'SIGKILL');
		} catch {
			return false;
		}
	});
	const config = join(folder, 'config');
	return {
		env: {PATH: `${bin}:/usr/bin:/bin`, FAKE_STATE: state, XDG_CONFIG_HOME: config, XDG_RUNTIME_DIR: folder},
		answer,
		pid,
		/** Where a unit is written. */
		unit: (name: string) => join(config, 'systemd', 'user', name),
		/** Every call so far, without the flags that only shape its output. */
		calls: () =>
			(existsSync(join(state, 'calls')) ? readFileSync(join(state, 'calls'), 'utf8') : '')
				.split('\n')
				.filter(Boolean)
				.map(line => (JSON.parse(line) as readonly string[]).join(' ')),
	};
}

/** The program on a state directory, with a service manager that is not real. */
export function openService(answers: Answers = {}) {
	const home = stateDirectory({});
	const managers = fakeManagers(answers);
	const {env, calls} = managers;
	const service = (...words: readonly string[]): Promise<Ending> => runSluice({home, env}, 'service', ...words);
	const changing = /^systemctl --user (?:daemon-reload|enable|disable|restart)/u;
	return {
		...managers,
		home,
		service,
		path: managers.unit('sluice.service'),
		/** The calls that change something. */
		changes: () => calls().filter(call => changing.test(call)),
	};
}

/** Writes a unit as somebody else would. */
export function writeUnit(path: string, text: string): void {
	mkdirSync(dirname(path), {recursive: true});
	writeFileSync(path, text);
}
