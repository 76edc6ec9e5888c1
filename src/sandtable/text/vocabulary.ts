/** Words that say what a number next to them is. All lower case. */

const words = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** After a number: it is money. */
export const moneyWords = words("dollar dollars buck bucks usd euro euros eur pounds-sterling gbp cad");

/** Before a number: it names something and measures nothing. */
export const labelWords = words(`
  mc dot usdot load loads no nr number num id order po ref reference invoice account acct zip unit room gate dock suite
  flight case ticket booking confirmation extension ext route highway hwy interstate exit door page step option section
  truck trailer seal pro bol carrier shipment policy claim code pin apartment apt bay lane line version year`);

/** After a number: it counts or measures something that is not money. */
export const unitWords = words(`
  mile miles mi km lb lbs pound pounds kg ton tons tonne tonnes pallet pallets piece pieces load loads truck trucks stop
  stops hour hours hr hrs minute minutes min mins second seconds day days night nights week weeks month months year years
  foot feet ft inch inches item items unit units person people guest guests time times gallon gallons degree degrees
  carrier carriers driver drivers skid skids box boxes case cases customer customers order orders point points star stars
  step steps turn turns try tries call calls email emails seat seats bag bags ticket tickets room rooms thanks`);

export const monthWords = words(`
  january february march april june july august september october november december
  jan feb mar apr jun jul aug sep sept oct nov dec may`);

/** Before a whole number from 1900 to 2099: it is a year or a time of day. */
export const yearWords = words("in since until by of year before after from");

export const numberWords: ReadonlyMap<string, number> = new Map([
  ["one", 1],
  ["two", 2],
  ["three", 3],
  ["four", 4],
  ["five", 5],
  ["six", 6],
  ["seven", 7],
  ["eight", 8],
  ["nine", 9],
  ["ten", 10],
  ["eleven", 11],
  ["twelve", 12],
  ["thirteen", 13],
  ["fourteen", 14],
  ["fifteen", 15],
  ["sixteen", 16],
  ["seventeen", 17],
  ["eighteen", 18],
  ["nineteen", 19],
  ["twenty", 20],
  ["thirty", 30],
  ["forty", 40],
  ["fifty", 50],
  ["sixty", 60],
  ["seventy", 70],
  ["eighty", 80],
  ["ninety", 90],
]);

export const scaleWords: ReadonlyMap<string, number> = new Map([
  ["hundred", 100],
  ["thousand", 1000],
  ["grand", 1000],
  ["k", 1000],
  ["million", 1_000_000],
]);
