import {dirname} from 'node:path';
import {shellWord} from './named-commands.ts';
import {safeText} from './safe-text.ts';

/** What to do about a file that the program writes and cannot read: nothing but a person repairs or moves it. */
export function repairRemedy(path: string): string {
	return `Repair ${safeText(path)}, or move it away with \`mv ${shellWord(path)} ${shellWord(`${path}.broken`)}\``;
}

/**
What to do about a journal (docs/webhooks.md, When the journal cannot be used). `damaged`: its content cannot be used; `unusable`: the file cannot be
read or written; `silent`: its disk does not answer.
*/
export function journalRemedy(path: string, fault: 'damaged' | 'unusable' | 'silent'): string {
	const shown = safeText(path);
	const folder = shellWord(dirname(path));
	switch (fault) {
		case 'damaged':
			return `Restore ${shown}, or move it away with its -wal file: \`${moveJournal(path)}\`; without one, a new journal is made`;
		case 'unusable':
			return `Check owner, permissions and disk space of ${shown}: \`ls -l ${shellWord(path)}\`, \`df -h ${folder}\``;
		case 'silent':
			return `Check the disk that holds ${shown}: \`findmnt -T ${folder}\` names it`;
	}
}

/** The command that moves a journal away whole: what was written last may stand in its -wal file alone, and a -wal file may be all that is left. */
function moveJournal(path: string): string {
	const moves = ['', '-wal'].map(end => {
		const file = shellWord(path + end);
		return `{ [ ! -e ${file} ] || mv ${file} ${shellWord(`${path}.broken${end}`)}; }`;
	});
	return `${moves.join(' && ')} && rm -f ${shellWord(`${path}-shm`)}`;
}
