import {documentPath, fileDocuments} from '../../config/values/document-files.ts';
import {type DocumentKind, type Documents, type DocumentsOf} from '../../config/values/stored-document.ts';
import {type Following, followOthers} from '../../journal/follow-others.ts';
import {type JournalDocuments} from '../../journal/journal.ts';
import {type Clock} from '../../util/clock.ts';
import {type JsonObject} from '../../util/json-text.ts';
import {Problem} from '../../util/problem.ts';
import {createDatabaseDocuments} from './database-documents.ts';
import {createAnnouncer} from './announce-documents.ts';
import {type GatewayJournal} from '../journal/gateway-journal.ts';
import {type ProfileContext} from '../profiles/profile-context.ts';

/** The documents of the profiles of a gateway. */
type GatewayDocuments = {readonly of: DocumentsOf; readonly close: () => void};

/**
Opens the documents where the journal is: files beside a file, rows in its database. Resolves once they were read, or could not be; then they
cannot be read until the database is there.
*/
export async function openGatewayDocuments(
	{clock}: Pick<ProfileContext, 'clock'>,
	stored: Pick<GatewayJournal, 'take' | 'place' | 'onHint' | 'sharedAs'> & {readonly journal: JournalDocuments},
): Promise<GatewayDocuments> {
	const announcer = createAnnouncer(clock);
	const database = createDatabaseDocuments({
		withJournal: work => work(stored.journal),
		by: () => stored.sharedAs() ?? '',
		onWritten: announcer.announce,
	});
	const undecided = new Set<() => void>();
	let following: Following | undefined;
	await stored.take(async () => {
		if (stored.place() === 'database') {
			await database.refresh();
			// This is done again when something else fails that the journal is taken for.
			if (!following) {
				following = followOthers(clock, database.refresh);
				stored.onHint('documents', following.poll);
			}
		} else {
			undecided.forEach(listener => listener());
		}
	});
	return {
		of(paths) {
			const places = {file: fileDocuments(paths), database: database.of(paths.profile)};
			const place = stored.place();
			return place === 'unknown' ? undecidedDocuments(paths.directory, {places, undecided, ...stored}) : places[place];
		},
		close() {
			following?.close();
			announcer.close();
		},
	};
}

/** Documents that cannot be read until config.yaml can, which says where they are. */
function undecidedDocuments(
	directory: string,
	{
		place,
		places,
		undecided,
	}: {
		readonly place: GatewayJournal['place'];
		readonly places: Readonly<Record<'file' | 'database', Documents>>;
		readonly undecided: Set<() => void>;
	},
): Documents {
	const decided = () => {
		const found = place();
		if (found === 'unknown') {
			throw new Problem('storage_unavailable', {
				message: 'config.yaml, which names the journal, cannot be read',
			});
		}

		return places[found];
	};

	return {
		open: <Value extends JsonObject>(kind: DocumentKind<Value>) => ({
			place: documentPath(directory, kind.name),
			read: () => decided().open(kind).read(),
			update: async (change: (value: Value) => Value, clock: Clock) => decided().open(kind).update(change, clock),
			stamp: () => decided().open(kind).stamp(),
		}),
		onChange(name, listener) {
			const end = places.database.onChange(name, listener);
			undecided.add(listener);
			return () => {
				end();
				undecided.delete(listener);
			};
		},
		refresh: async () => decided().refresh(),
	};
}
