import {join} from 'node:path';
import {defaultProfile} from '../../config/read/state-paths.ts';
import {writtenFor} from './service-file.ts';
import {type ServiceTarget} from './service-target.ts';

/** The name of the unit of a profile (docs/deployment.md, What is written). */
export function unitName(profile: string): string {
	return profile === defaultProfile ? 'sluice.service' : `sluice-${profile}.service`;
}

/** The shipped unit, for this program, state directory and profile; its comments explain its limits. */
export function unitText(shipped: string, target: ServiceTarget): string {
	const {root, profile, userHome, path, socket, stopSeconds} = target;
	const head = [
		`# ${writtenFor(root)}`,
		`# Changes of your own belong into a drop-in, which the next install keeps: systemctl --user edit ${unitName(profile)}`,
	];
	const body = shipped.slice(shipped.indexOf('[Unit]'));
	const home = root === join(userHome, '.sluice') ? '%h/.sluice' : unitWord(root);
	const lines = body.split('\n').flatMap(line => {
		if (line.startsWith('Description=') && profile !== defaultProfile) {
			return [`${line} (profile ${profile})`];
		}

		if (line.startsWith('ExecStart=')) {
			return [`ExecStart=${execLine(target.command)}`, `Environment=${unitWord(`PATH=${path}`)}`];
		}

		if (line.startsWith('ReadWritePaths=')) {
			return [`ReadWritePaths=${home}${socket === 'runtime' ? ' %t' : ''}`];
		}

		if (line.startsWith('TimeoutStopSec=')) {
			return [`TimeoutStopSec=${stopSeconds}`];
		}

		return [line];
	});
	return [...head, ...lines].join('\n');
}

/** A command line as `ExecStart=` takes it: systemd.service(5), Command lines. */
export function execLine([executable, ...words]: readonly [string, ...string[]]): string {
	const args = words.map(word => unitWord(word).replaceAll('$', '$$$$'));
	// systemd refuses quotes and back slashes in the name of an executable, and expands nothing in it.
	return /["'\\]/u.test(executable)
		? ['/usr/bin/env', unitWord(executable).replaceAll('$', '$$$$'), ...args].join(' ')
		: [unitWord(executable), ...args].join(' ');
}

/** A word of a unit: quoted where it has to be, `%` doubled (systemd.syntax(7), Quoting; systemd.unit(5), Specifiers). */
export function unitWord(word: string): string {
	const escaped = word.replaceAll('\\', '\\\\').replaceAll('"', String.raw`\"`).replaceAll('%', '%%');
	return /^[\w@%+=:,./$-]+$/u.test(word) ? escaped : `"${escaped}"`;
}
