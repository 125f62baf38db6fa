import {styleText} from 'node:util';
import {Problem} from '../../util/problem.ts';
import {type CommandContext, type ExitCode} from '../cli/command.ts';
import {jsonDocument} from '../cli/listing.ts';
import {type Finding} from './finding.ts';

const colours = {ok: 'green', warning: 'yellow', error: 'red'} as const;

/** `sluice doctor`: what is wrong, what it means, what to do about it. Exit 1 when anything is an error. */
export async function runDoctor(
	context: CommandContext,
	runChecks: (reach: 'network' | 'files') => Promise<readonly Finding[]>,
): Promise<ExitCode> {
	if (context.arguments.length > 0) {
		throw new Problem('bad_usage', {message: 'Usage: sluice doctor [--offline] [--json]'});
	}

	if (!context.flags.offline) {
		context.stderr('Checking files, servers and routes …\n');
	}

	const findings = await runChecks(context.flags.offline ? 'files' : 'network');
	context.stdout(context.flags.json ? jsonDocument(findings) : `${findingLines(findings)}\n${summary(findings)}\n`);
	return findings.some(finding => finding.level === 'error') ? 1 : 0;
}

function findingLines(findings: readonly Finding[]): string {
	const width = Math.min(30, Math.max(0, ...findings.map(finding => finding.check.length)));
	return findings
		.map(({level, check, message, remedy}) => {
			const line = `${paint(level, level.padEnd(7))}  ${check.padEnd(width)}  ${message}\n`;
			return remedy === null ? line : `${line}${' '.repeat(9)}${' '.repeat(width)}  → ${remedy}\n`;
		})
		.join('');
}

function summary(findings: readonly Finding[]): string {
	const count = (level: Finding['level'], one: string) => {
		const {length} = findings.filter(finding => finding.level === level);
		return length === 0 ? [] : [`${length} ${one}${length === 1 ? '' : 's'}`];
	};
	const troubles = [...count('error', 'error'), ...count('warning', 'warning')];
	return troubles.length === 0 ? 'No problems found.' : `${troubles.join(', ')}.`;
}

/** Colours are for terminals alone, and for people who did not switch them off. */
function paint(level: Finding['level'], text: string): string {
	return styleText(colours[level], text, {stream: process.stdout, validateStream: true});
}
