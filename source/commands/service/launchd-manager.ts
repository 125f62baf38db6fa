import {join} from 'node:path';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {readTextFile} from '../../config/values/text-file.ts';
import {type Clock, sleep} from '../../util/clock.ts';
import {shellWord} from '../../util/named-commands.ts';
import {Problem} from '../../util/problem.ts';
import {safeText} from '../../util/safe-text.ts';
import {createManagerTool, type RunTool} from '../cli/run-tool.ts';
import {type ServiceTarget, writtenFor} from './service-file.ts';
import {type ServiceManager, type ServiceParts, type ServiceState} from './service-manager.ts';

type Options = ServiceParts & {readonly run: RunTool; readonly clock: Clock; readonly signal: AbortSignal};

const lastLineCount = 10;
const pollMilliseconds = 250;

const noLaunchd = () =>
	new Problem('service_unavailable', {message: 'This system has no launchd: `launchctl` was not found'});

/** An agent of the user's login session on macOS: launchctl(1). */
export function launchdManager(options: Options): ServiceManager {
	const {target, sameTargets, clock, signal, uid} = options;
	const name = agentLabel(target.profile);
	const path = join(target.userHome, 'Library', 'LaunchAgents', `${name}.plist`);
	const domain = `gui/${uid}`;
	const service = `${domain}/${name}`;
	const {call: launchctl, must} = createManagerTool(options.run, {program: 'launchctl', missing: noLaunchd});
	const isLoaded = async () => (await launchctl('print', service)).code === 0;
	const unload = async () => {
		if (await isLoaded()) {
			await launchctl('bootout', service);
			// It answers while the gateway is still stopping.
			await untilGone(isLoaded, {clock, signal, ...target});
		}
	};

	return {
		kind: 'launchd',
		name,
		path,
		texts: [agentText(target), ...sameTargets.map(agentText)],
		startCommands: [`launchctl enable ${service}`, `launchctl bootstrap ${domain} ${shellWord(path)}`],
		logs: target.logs,
		async check() {
			const result = await launchctl('print', domain);
			if (result.code !== 0) {
				throw new Problem('service_unavailable', {
					message: 'launchd has no session of this user, who is not logged in at the screen of this Mac',
					remedy: 'Log in there and run it again, or set up a daemon (docs/deployment.md, macOS)',
				});
			}
		},
		async state() {
			const {code, stdout} = await launchctl('print', service);
			const disabled = await launchctl('print-disabled', domain);
			return readAgentState(code === 0 ? stdout : undefined, isDisabled(disabled.stdout, name));
		},
		async start() {
			await unload();
			await must('enable', service);
			await must('bootstrap', domain, path);
		},
		stop: unload,
		forget: async () => undefined,
		async lastLines() {
			const text = (await readTextFile(agentLog(target)).catch(() => undefined)) ?? '';
			return text.split('\n').filter(Boolean).slice(-lastLineCount);
		},
		logCommand: `tail ${agentLog(target)}`,
		lingers: async () => null,
		notes: () => notes,
	};
}

const notes: readonly string[] = [
	'It runs while you are logged in at the screen of this Mac. A daemon runs without a login (docs/deployment.md, macOS).',
	'Variables of your shell do not reach it: keep keys in `.env` of the state directory.',
	'Servers find npx and uvx in the PATH that is shown; for other programs write the whole path into `command`.',
	'To keep agents with a shell as your user out, run it as another user (docs/deployment.md, Another user).',
];

/** Reads what `launchctl print` says of an agent; undefined: it is not loaded. */
export function readAgentState(text: string | undefined, disabled: boolean): ServiceState {
	const of = (key: string) => new RegExp(String.raw`^\t${key} = (.*)$`, 'mu').exec(text ?? '')?.[1];
	const pid = Number(of('pid') ?? 0);
	const exit = of('last exit code');
	const isFailed = pid === 0 && exit !== undefined && /^[1-9]/u.test(exit);
	return {
		enabled: !disabled,
		run: pid > 0 ? 'running' : text === undefined ? 'stopped' : isFailed ? 'failed' : 'starting',
		state: text === undefined ? 'not loaded' : (of('state') ?? 'unknown'),
		pid: pid > 0 ? pid : null,
		since: null,
		...(isFailed && {failure: {message: `It exited with ${safeText(exit)}`}}),
	};
}

/** True if `launchctl print-disabled` lists the agent as disabled; older systems write `true` for `disabled`. */
export function isDisabled(text: string, name: string): boolean {
	return text
		.split('\n')
		.some(line => /^\s*"(?<label>.*)" => (?:disabled|true)$/u.exec(line)?.groups?.['label'] === name);
}

async function untilGone(
	isLoaded: () => Promise<boolean>,
	{clock, signal, stopSeconds}: {readonly clock: Clock; readonly signal: AbortSignal; readonly stopSeconds: number},
): Promise<void> {
	for (let waited = 0; waited < stopSeconds * 1000; waited += pollMilliseconds) {
		if (!(await isLoaded())) {
			return;
		}

		await sleep(clock, pollMilliseconds, signal);
	}

	throw new Problem('service_failed', {message: 'launchd did not stop the gateway in time'});
}

/** The label of the agent of a profile (docs/deployment.md, macOS). */
export function agentLabel(profile: string): string {
	return profile === defaultProfile ? 'dev.sluice.gateway' : `dev.sluice.gateway.${profile}`;
}

/** Where launchd writes what the gateway prints to stderr: nothing, unless it cannot start. */
export function agentLog({logs}: Pick<ServiceTarget, 'logs'>): string {
	return join(logs, 'service.log');
}

/** The launchd agent of a profile, with the limits of the systemd unit that launchd has too: launchd.plist(5). */
export function agentText(target: ServiceTarget): string {
	const {command, path, root, profile, stopSeconds} = target;
	return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<!-- ${writtenFor(root)} -->
<plist version="1.0">
<dict>
	<key>Label</key>
	<string>${agentLabel(profile)}</string>
	<key>ProgramArguments</key>
	<array>
${command.map(word => `\t\t<string>${xml(word)}</string>\n`).join('')}	</array>
	<key>EnvironmentVariables</key>
	<dict>
		<key>PATH</key>
		<string>${xml(path)}</string>
	</dict>
	<key>RunAtLoad</key>
	<true/>
	<!-- As Restart=on-failure: what ends well stays ended. -->
	<key>KeepAlive</key>
	<dict>
		<key>SuccessfulExit</key>
		<false/>
	</dict>
	<key>ThrottleInterval</key>
	<integer>10</integer>
	<!-- The first signal lets it drain: runs get ten seconds, a journal that does not answer ten more. -->
	<key>ExitTimeOut</key>
	<integer>${stopSeconds}</integer>
	<!-- 0077 -->
	<key>Umask</key>
	<integer>63</integer>
	<!-- logs/sluice.log has the same events as stdout. -->
	<key>StandardOutPath</key>
	<string>/dev/null</string>
	<key>StandardErrorPath</key>
	<string>${xml(agentLog(target))}</string>
</dict>
</plist>
`;
}

function xml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
