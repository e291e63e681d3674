/** Words that identifiers of apps are made of: a suffix that consists of them is a name, not a key. */
export const words: ReadonlySet<string> = new Set(
  `able about accept access account action active activity adapter add address admin agent alert album align all allow
  amount anchor android animation answer any api app apple application apply archive area array arrow asset async attach
  audio auth author auto available avatar back backend background badge banner bar base basic batch begin bell beta bind
  bitmap blank block blue blur board body bold book boolean border bottom bound box brand break bridge broadcast browser
  bubble buffer build bundle button bytes cache calendar call callback caller calling camera cancel canvas caption capture
  card cart case cast category cell center change channel char chart chat check chip circle city class clean clear click
  client clip clock clone close cloud code collapse color column comment common compact company component compose
  conference config confirm connect connected connecting connection constant contact container content context control
  copy core corner count counter country create credential credit cross crop current cursor custom customer dark data
  date day debug decode decline default delay delete delegate demo description design desktop detail details dev device digest
  dialog dialer dialog digit dimen direction disable disabled disconnect display divider document domain done dot double
  down download drag draw drawable drawer drop duration dynamic edge edit effect element email embed emoji empty enable
  enabled encode end endpoint engine enter entry environment error event example exit expand expired export extra face
  factory fade fail failed failure fallback false favorite feature feed fetch field file fill filter final finish first
  fit fix flag flash flex float floating flow focus folder font footer for force foreground form format forward found
  fragment frame free from front full function game gap gesture get global gold gradient grant gray green grid group guest
  guide hand handle handler hang hash header health height hello help here hidden hide high hint history hold home hook
  horizontal host hour icon id idle image import in incoming index info init inner input insert inset inside install
  instance int integer interface internal intent interval into invite is item java join just key keyboard kind kit label
  landscape lang language large last launch launcher layer layout left length level library light like line link list
  listen listener live load loader loading local locale location lock log login logo logout long loop low mail main manager
  manifest map margin mark mask master match material max maximum measure media meeting member menu merge message meta
  method metric micro microphone middle min mini minimum minute missed mobile mode model module month more mount move
  movie multi music mute muted name native nav navigation network new news next night no node none normal not note
  notice notification null number object of off offline offset ok old on one online only opacity open option options
  order orientation original other out outer outgoing outline output over overlay owner pad padding page paint panel
  parent parse participant participants partner password path pattern pause pay payment peer pending people percent
  permission person phone photo pick picker picture pin ping placeholder plain plan platform play player plugin plus
  point policy poll popup port portrait position post power preference preferences prefix premium presence present
  preview previous primary print privacy private process product production profile progress project promise prompt
  property protocol provider proxy public publish pull push put quality query question queue quick quit quota radio radius
  raise random range rate ratio raw react reaction read ready real receive receiver recent record recorder recording
  rect red redirect ref refresh region register reject release reload remote remove render repeat replace reply report
  request require res reset resize resolve resource response rest result resume retry return right ring ringing ringtone
  role room root rotate round route row rule run safe sample save scale scan scene schedule schema scope score screen
  script scroll sdk search second secondary secret section secure security select selected selection send sender sensor
  server service session set setting settings setup shadow shape share shared sheet shop short show shrink side sign
  signal signaling silent simple single site size skip slide slider slot small smart snackbar social socket sort sound
  source space speaker speed spinner split square stack stage star start started state static station status step stick
  stop storage store stream streaming street string strong style sub subject submit subscribe subtitle success summary
  support surface swipe switch symbol sync system tab table tag tap target task team template temp test text texture
  theme thread thumb thumbnail ticket tile time timeout timer tint title toast today toggle token tool toolbar tooltip
  top total touch track transfer transition translate tree trial trigger true try turn type undo unit unknown unlock
  unmute up update upgrade upload url user users utils valid value variant vector version vertical vibrate video view
  viewer visible visit voice volume wait waiting wake wallet warning watch web week welcome white widget width wifi
  window with word work world wrap write year yellow yes you your zero zone zoom`.split(/\s+/),
)
