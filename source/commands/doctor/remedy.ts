import {type StatePaths} from '../../config/read/state-paths.ts';
import {type FilePosition, type Problem, problemLine} from '../../util/problem.ts';
import {problemCodes} from '../../util/problem-codes.ts';
import {type Finding, trouble} from './finding.ts';

/** A problem as a finding; files are named as seen from the folder of the profile. */
export function problemFinding(check: string, problem: Problem, directory?: string): Finding {
	const message = problemLine(problem, directory);
	return trouble(check, problem.level, {message, remedy: remedyOf(problem)});
}

/** The remedy of a problem: at its place in a file, if it has one. */
function remedyOf({code, place, remedy}: Problem): string {
	if (!place) {
		return remedy;
	}

	const where = placeText(place);
	if (code === 'config_unknown_key') {
		return `Rename or remove ${where}`;
	}

	if (code === 'config_invalid' && remedy !== problemCodes[code].remedy) {
		return `${remedy}: ${where}`;
	}

	return code === 'unknown_target' ? `Set ${where} to one of these targets` : `Correct ${where}`;
}

function placeText({file, line, column, keyPath}: FilePosition): string {
	return keyPath === '' ? `line ${line}, column ${column} of ${file}` : `\`${keyPath}\` (${file}, line ${line})`;
}

/** The finding of a file of the program that could not be read. */
export function brokenFile(check: string, {message, remedy}: Problem, consequence: string): Finding {
	return trouble(check, 'error', {message, remedy: `${remedy}; ${consequence}`});
}

/** The remedy for a variable that is not set. */
export function setVariable({paths}: {readonly paths: Pick<StatePaths, 'env'>}, name: string): string {
	return `Add the line ${name}=… to ${paths.env}`;
}
