import {safeText} from '../../util/safe-text.ts';
import {type CommandContext} from '../cli/command.ts';
import {jsonDocument, timeText} from '../cli/listing.ts';
import {type Session} from '../cli/session.ts';
import {noWords} from '../cli/words.ts';
import {findService, type Host, type Service, thisHost} from './find-service.ts';
import {type ServiceState} from './service-manager.ts';

/** `sluice service status --json` (docs/json.md, Documents). Times are milliseconds since the epoch. */
export type ServiceJson = {
	readonly manager: 'systemd' | 'launchd';
	readonly name: string;
	readonly path: string;
	readonly installed: boolean;
	/** It starts by itself. */
	readonly enabled: boolean;
	readonly active: boolean;
	/** As the service manager words it. */
	readonly state: string;
	/** The reason for its failure. */
	readonly reason: string | null;
	readonly pid: number | null;
	readonly since: number | null;
	/** True if it runs while the user is not logged in; null: unknown. */
	readonly linger: boolean | null;
	/** True if the file differs from the one that this version would write; null: there is no file. */
	readonly differs: boolean | null;
};

/** None is installed, or it does not run. */
const notRunning = 3;

/** `sluice service status [--json]`: whether the service is installed, starts by itself and runs. Exit 3 when it does not run. */
export async function runServiceStatus(
	context: CommandContext,
	session: Session,
	host: Host = thisHost(),
): Promise<number> {
	noWords(context, 'sluice service status [--json]');
	const service = await findService(context, session, host);
	await service.manager.check();
	const state = await service.manager.state();
	const row = toJson(service, state, await service.manager.lingers());
	context.stdout(context.flags.json ? jsonDocument(row) : context.nameCommands(statusText(row, service, state)));
	return row.active ? 0 : notRunning;
}

function toJson({manager, file}: Service, state: ServiceState, linger: boolean | null): ServiceJson {
	const installed = file.kind !== 'absent';
	return {
		manager: manager.kind,
		name: manager.name,
		path: manager.path,
		installed,
		enabled: installed && state.enabled,
		active: state.run === 'running',
		state: state.state,
		reason: state.failure?.message ?? null,
		pid: state.pid,
		since: state.since,
		linger,
		differs: installed ? file.kind !== 'same' : null,
	};
}

function statusText(row: ServiceJson, {manager, file}: Service, {failure}: ServiceState): string {
	if (!row.installed && !row.active) {
		return `${row.name} is not installed. \`sluice service install\` installs it as ${row.path}\n`;
	}

	const process = row.pid === null ? '' : `, process ${row.pid}`;
	const since = row.since === null ? '' : `, since ${timeText(row.since)}`;
	const reason = row.reason === null ? '' : `: ${row.reason}`;
	const lines: ReadonlyArray<readonly [string, string]> = [
		['Service', `${row.name} (${row.manager})`],
		['File', row.path],
		['Contents', fileText(file)],
		['Enabled', row.enabled ? 'yes' : 'no; `sluice service install` enables it'],
		['Active', `${row.active ? 'yes' : 'no'}, ${row.state}${process}${since}${reason}`],
		...(row.linger === null ? [] : [['Linger', lingerText(row.linger)] as const]),
		...(row.active ? [] : [['Log', `\`${manager.logCommand}\``] as const]),
		...(failure?.remedy === undefined ? [] : [['To do', failure.remedy] as const]),
	];
	return lines.map(([title, text]) => `${title.padEnd(8)}  ${safeText(text)}\n`).join('');
}

function lingerText(linger: boolean): string {
	return linger
		? 'yes, it runs while you are not logged in'
		: 'no, it stops when your last session ends; `loginctl enable-linger` keeps it running';
}

function fileText(file: Service['file']): string {
	switch (file.kind) {
		case 'absent':
			return 'there is no file there';
		case 'same':
			return 'as this version writes them';
		case 'changed':
			return 'differ from what this version writes; `sluice service install` shows the difference';
		case 'by-hand':
			return 'not written by `sluice service install`, which shows the difference';
		case 'other-home':
			return `for the state directory ${file.home}`;
	}
}
