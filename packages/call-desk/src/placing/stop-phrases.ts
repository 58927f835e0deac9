/** What may follow a demand not to be called without giving it another meaning ("stop calling me names", "don't call me sir"). */
const ENGLISH =
  '$|again|any|anymore|ever|back|at|on|please|now|right|immediately|here|today|tomorrow|and|or|because|cause|i|im|ill|you|your|all|every|everyday|this|about|for|with|from|thanks|thank|ok|okay|already|guys|people|constantly|stop|dont|its|we|were|just|forever|seriously|my|what|why|how|who|is|was|unless|until|if|so'
const SPANISH = '$|mas|nunca|otra|de nuevo|jamas|por favor|a este|aqui|y|gracias|ya'
const ME = '(me|us)'
const LINE = '(here|this number|this phone|my (number|phone|house|home|office|cell))'
/** What may end a demand that would mean something else if it went on ("opt me out of the newsletter"). */
const END =
  '(please |thanks |thank you |again |any ?more |ever |at all |by you |from you |here |(at|on) (this|my) (phone )?(number|line|phone) )*$'
const STOPPING = '(stop|quit|cease)( and desist)? '
const AT_ONCE = '(now |immediately |right now |today )?'
const CALLS = '((all|any|the|these|those|this|your|more|further|future|phone|calling) )+(calls|calling|list) '
/** Not somebody's demand, but what may be, or is told or asked of others. */
const NOT_ASKED = '(?<!(if|when|once|unless|whether|can|could|may|should|do|did|would|how|people|customers) )'
const WANT = '(i|we|id|wed) (really |just |would |also )*(want|wish|need|like|ask|demand|prefer)'
const NO_LONGER = '(no longer|never|(dont|do not)( ever)?) '
const CALL = '(call|ring|phone|contact)'
const CALLING = '(calling|phoning|ringing|contacting)'
const CALLED = '(called|rung|phoned|contacted)'
const YOU = '(you|your (company|firm|people)|you (people|guys|lot))'
const LIST = '(\\w+ ){0,4}(list|lists|database|system|records|files?)'
const GONE = `((removed|deleted|erased|struck|taken) (off|from|out of) ${LIST}|(removed|deleted|erased|taken off) ${END})`

/**
 * Ways to say that one does not want to be called: plain words (see `plain`), at the bounds of words. `^` and `$` are the bounds of a clause.
 * Each is a demand of its own, so that a sentence that only happens to speak of calls is none.
 */
const PHRASES = {
  english: [
    `${STOPPING}(please |ever |fucking |damn |bloody |just )*calling ${ME} (?=${ENGLISH})`,
    `${STOPPING}(please )?(phoning|ringing|contacting|bothering|spamming|pestering|hassling|(robo|cold) ?calling) ${ME}`,
    `${STOPPING}(please )?(calling|phoning|ringing) ${LINE}`,
    `${STOPPING}(please )?(calling|phoning|ringing)( now| please| again| at once| immediately| right now| already)? $`,
    `^(please )?(${STOPPING}|enough )(it )?with (all )?(the|these|those|this|your) ((damn|phone|sales|spam|robo) )*(calls|calling|robocalls) ${END}`,
    `(refrain|desist) from ${CALLING} (${ME}|${LINE}|$)`,
    `(?<!(they|people|customers|clients|who|i|we|he|she|(if|when|why) you) )(dont|do not|never) (ever )?${CALL} ${ME} (?=${ENGLISH})`,
    `(?<!(they|people|customers|clients|who|i|we|he|she|(if|when|why) you) )(dont|do not|never) (ever )?${CALL} ${LINE}`,
    '^(please )?(dont|do not|never) (you )?(ever )?(call|ring|phone) (back|again|any more|anymore)',
    `(?<!why )(dont|do not) you (ever )*dare (ever )?(to )?${CALL} (${ME}|${LINE}|again)`,
    `(?<!why )(dont|do not) you ever ${CALL} (${ME} |${LINE} )?(again|any ?more)`,
    `you are (not|never) to ${CALL} (${ME}|${LINE}|again)`,
    `(?<!(if|when|why) )you (may|must|shall|should|can) ?(not|never) (ever )?${CALL} (${ME} |${LINE} )?(again|any ?more)`,
    `(?<!why )(would|could|can) you (please |kindly )?(not|never) (ever )?${CALL} (${ME} |${LINE} )?(again|any ?more|please|$)`,
    `you (dont|do not|no longer|never) have (my |our )?(permission|consent) to ${CALL} `,
    `(forbid|forbidding) ${YOU} (to|from) (ever )?(${CALL}|${CALLING}) (${ME}|${LINE}|again)`,
    `(told|asked|want|need|like|tell|ask) (you|them) (guys )?(not to|to never|to not|to stop) (${CALL}|${CALLING}) (?=me|us|here|again|back|any|this number|$)`,
    `(dont|do not) (want|wish|like) (you|anyone|anybody) (to call|calling|to ring|ringing|to phone|phoning) (${ME}|${LINE}|again|back|any ?more) `,
    `(dont|do not) (want|wish) (to be|to get|being|getting) ${CALLED}( again| back| any ?more| at all| by you| by anyone| here)? $`,
    '(dont|do not) want (any )?(more )?(of )?(your|these|those) (phone )?calls',
    `${NOT_ASKED}(i|we) (really |just )?(dont|do not) want (to (get|receive) )?(any )?(more|further) (phone )?calls ${END}`,
    `${NOT_ASKED}(i|we) (really |just )?${NO_LONGER}(want|wish|need|like|care) (to (get|receive|have|take) )?(any |more |further |your |such )*((phone|sales|spam|robo|marketing|unsolicited) )*(calls|robocalls) (from ${YOU} |to this number |here )${END}`,
    `${NOT_ASKED}(i|we) (really |just )?(no longer|never) (want|wish|need|like|care) (to (get|receive|have|take) )?(any |more |further |your |such )*(phone )?calls ${END}`,
    `${NOT_ASKED}(i|we) (really |just )?(no longer|never) (want|wish|like|care) (to be|being) ${CALLED} ${END}`,
    `${NOT_ASKED}(i|we) (really |just )?${NO_LONGER}(want|wish|like|care|need) to (ever )?hear from ${YOU} ${END}`,
    `make sure (that )?(im|i am|were|we are) (not|never) ${CALLED} ${END}`,
    // Not "he will not stop", "how do I get them to stop", "make my boss stop".
    `(?<!(wont|not|cant|cannot|never|didnt|doesnt|ever|they|he|she|who) )(?<!(?<!you|guys|people) to )(?<!(make|making|made) (\\w+ ){1,3})(stop|quit) (please )?harassing ${ME}`,
    '^(please |i said |i want |i told you )*(no more|stop|cease) (the |these |those |your |all )*(phone )?calls( please| now| to me)? $',
    `(take|remove|delete|strike|drop|get) (me|us|my (phone )?number|my name|this (phone )?number) (off|from|out of) ${LIST}`,
    '(remove|delete|erase|lose|forget) (my|our) (phone )?number',
    '^(please )?(lose|forget) this (phone )?number',
    `${NOT_ASKED}${WANT} to be (taken|removed|deleted|struck|erased) (off|from|out of) ${LIST}`,
    `${NOT_ASKED}(^please |${WANT} to )(have|get) (my|our|this) (phone )?number ${GONE}`,
    `${NOT_ASKED}${WANT} (my|our|this) (phone )?number (to be )?${GONE}`,
    `${NOT_ASKED}${WANT} to be (added to|put on|placed on|on) (\\w+ )?(do not call|dont call|no call)`,
    `${NOT_ASKED}(im|i am|were|we are|my (phone )?number is|this (phone )?number is) (already )?on (\\w+ ){0,2}do not call`,
    `(put|add|place) (me|us|my (phone )?number|this (phone )?number) (on|to|onto) (\\w+ )?(do not call|dont call|no call)`,
    'unsubscribe (me|us|my number)',
    `${NOT_ASKED}(i (want|need|wish|would like) to |id like to |^please |^)opt out ((of|from) ${CALLS})?${AT_ONCE}${END}`,
    `opt (me|us|my (phone )?number) out ((of|from) ${CALLS})?${AT_ONCE}${END}`,
    `${NOT_ASKED}(i|we|i (want|wish|would like) to|id like to) (hereby )?(revoke|withdraw) (my|our|any|all) consent (to (be called |being called |${CALLS}))?${AT_ONCE}${END}`,
    '^(please |i (want|need|would like) to |id like to )?unsubscribe( please| now)? $',
  ],
  spanish: [
    '(deje|dejen|deja|dejad|pare|paren|para) de (llamarme|llamarnos|molestarme)',
    '(deje|dejen|deja|dejad|pare|paren|para) de llamar (?=$|a este numero|aqui|por favor|ya)',
    `no (me|nos) (llame|llamen|llames) (?=${SPANISH})`,
    'no (me |nos )?(vuelva|vuelvan|vuelvas) a (llamar|llamarme|llamarnos|contactarme)',
    'no (me|nos) (contacte|contacten|moleste|molesten) (mas|nunca|otra)',
    'no (quiero|deseo|queremos|deseamos) (que me llamen|que me llame|((seguir )?(recibir|recibiendo) )?(mas|sus|estas) llamadas|recibir llamadas)',
    'no (quiero|deseo|queremos|deseamos) que (me |nos )?(vuelva|vuelvan|vuelvas) a (llamar|llamarme|llamarnos)',
    '(quiero|quisiera|deseo) que (me )?(borre|borren|quite|quiten|saque|saquen|elimine|eliminen) (de (su|la|esta|tu) lista|mi numero)',
    '(quite|quiten|quita|borre|borren|borra|elimine|eliminen|elimina|saque|saquen) (mi numero|mi nombre de|me de (su|la|esta|tu) lista)',
    '(quiteme|quitenme|borreme|borrenme|saqueme|saquenme|eliminenme) de (su|la|esta|tu) lista',
    '(deme|denme|darme) de baja',
  ],
  french: [
    '(arretez|arrete|cessez|cesse) de (m ?|me |nous )(appeler|telephoner|rappeler|contacter|harceler)',
    '(ne )?(m ?|me |nous )(appelez|appelle|rappelez|rappelle|telephonez|contactez) (plus|jamais)',
    'ne (m ?|me |nous )(appelez|rappelez|telephonez|contactez) pas $',
    '(retirez|enlevez|supprimez|effacez|rayez) (mon numero|mon nom de|moi de (votre|vos|la|cette|ta) liste)',
    'je ne (veux|souhaite|desire) plus (etre (r?appelee?|contactee?|derangee?)|que vous (m ?|me )(r?appeliez|contactiez))',
    'je ne (veux|souhaite|desire) plus (recevoir )?(d ?appels|aucun appel|(de )?(vos|ces) appels)',
    '(arretez|arrete|cessez|cesse) (avec )?(ces|vos|tes) appels',
    '(je (veux|voudrais|souhaite)|jaimerais) etre (retiree?|enlevee?|supprimee?|rayee?|effacee?) de (votre|vos|la|cette|ta) liste',
    '(desabonnez|desinscrivez) moi',
  ],
  german: [
    '(rufen|ruf|rufe|ruft) (sie )?(mich|uns|hier|diese nummer) (bitte )?(nicht|nie|niemals)( mehr| wieder)* an',
    '(?<!(warum|wieso|weshalb|wenn|falls|ob) )(rufen|ruf|rufe|ruft) (sie )?(bitte |hier )*(nicht|nie) (mehr|wieder) an (bitte |danke )*$',
    '(horen|hor|hort|hoeren|hoer) (sie )?(bitte |endlich )*auf (bitte )?(mich |uns |hier )?(standig |dauernd )?anzurufen',
    '^(bitte )?keine (weiteren )?anrufe( mehr)? $',
    '(will|mochte|moechte|wollen|mochten) (bitte )?(nicht|nie) (mehr|wieder) (von ihnen )?(angerufen|kontaktiert) werden',
    '(will|mochte|moechte|wunsche|wuensche|wollen|mochten|wunschen) (bitte )?keine (weiteren )?anrufe (mehr |von ihnen |hier |bekommen |erhalten |haben )*$',
    '(will|mochte|moechte|wollen|mochten) (bitte )?(von|aus) (\\w+ )?(liste|kartei|datenbank) (gestrichen|geloscht|geloescht|entfernt|genommen) werden',
    '(will|mochte|moechte|wollen|mochten) nicht dass (sie|ihr|du) (mich|uns|hier) (\\w+ ){0,2}(anrufen|anruft|anrufst)',
    'unterlassen sie (es )?(bitte )?(die |diese |ihre |weitere |es |mich |uns |hier )*(anrufe|anzurufen)',
    '(verbiete|untersage) (ihnen|euch|dir) (mich |uns |hier |noch |mal |einmal |nochmal |wieder |weiter |weiterhin )*anzurufen',
    '(horen|hor|hort|hoeren|hoer) (sie )?(bitte |endlich )*auf mit (den|diesen|ihren|euren) anrufen',
    '(?<!(warum|wieso|weshalb|wenn|falls|ob) )melden sie sich (bitte )?(nicht|nie) (mehr|wieder)',
    '(^|bitte |mich |uns )(nicht|nie) (mehr|wieder) anrufen',
    '(loschen|losche|loeschen|loesche|streichen|streiche|entfernen|entferne|nehmen|nimm) (sie )?(bitte )?(meine (telefon)?nummer|mich (bitte )?(aus|von) (\\w+ )?(liste|kartei|datenbank))',
  ],
  italian: [
    '(smetta|smetti|smettete|smettetela|smettila|la smetta) di (chiamarmi|chiamarci|telefonarmi)',
    'non (mi|ci) (chiami|chiamate|chiamare|richiami|richiamate|telefoni|telefonate) (mai )?(piu|mai|ancora)',
    'non (chiamarmi|chiamatemi|chiamarci|richiamarmi|richiamatemi) (mai )?(piu|mai|ancora)',
    'non (voglio|desidero|vogliamo) (piu )?(essere (piu )?(chiamat[oa]|contattat[oa])|ricevere (piu )?(altre |le vostre |vostre )?(chiamate|telefonate))',
    'non (mi|ci) (contatti|contattate|disturbi|disturbate) (mai )?(piu|mai)',
    '^(ora )?basta (con )?(chiamarmi|telefonarmi|(le |queste )?(vostre )?(chiamate|telefonate))',
    '(tolga|tolgano|togli|togliete|rimuova|rimuovi|rimuovete|cancelli|cancella|cancellate) (il mio numero|il mio nome dalla)',
    '(toglietemi|mi tolga|mi cancelli|cancellatemi|rimuovetemi|toglimi) dalla (vostra |sua |tua )?lista',
  ],
  portuguese: [
    '(pare|parem|para|deixe|deixem) de (me |nos )?(ligar|telefonar)',
    'nao (me|nos) (ligue|liguem|ligues|telefone|telefonem)',
    'nao (ligue|liguem|telefone|telefonem) (mais|nunca mais|para mim|para ca|outra vez|de novo)',
    'nao (me )?(volte|voltem|voltes) a (me )?(ligar|telefonar)',
    'nao (quero|desejo|queremos) (mais )?(receber )?(mais )?(as )?(suas |vossas |essas |estas )?(ligacoes|chamadas|que me liguem|ser conta[ck]?tad[oa])',
    '(pare|parem|chega) (com|de) (as |essas |estas |suas |vossas )?(ligacoes|chamadas)',
    '(tire|tirem|retire|retirem|remova|removam|apague|apaguem) (o )?(meu numero|me d(a|esta) (sua |vossa )?lista)',
  ],
  dutch: [
    '(stop|hou op|houd op|houdt u op) met (mij |me |ons )(op ?)?(te )?bellen',
    '^(alstublieft |alsjeblieft )?(stop|hou op|houd op) met (op)?bellen',
    '(bel|bellen|belt) (u |jij |je )?(mij|me|ons|dit nummer) (alstublieft |alsjeblieft )?(niet|nooit) (?=$|meer|weer|alsjeblieft|alstublieft)',
    '(^|me |mij |ons |graag |alstublieft |alsjeblieft )(niet|nooit) meer (bellen|opbellen|gebeld worden)',
    '(wil|wens|willen|wensen) (niet|nooit) meer (door (u|jullie) )?((op)?gebeld|benaderd) (te )?worden',
    '(wil|wens|willen|wensen) geen (telefoontjes|telefoons|oproepen) meer (van (u|jullie) |krijgen |ontvangen |te |hier )*$',
    '^(bel|belt) (alstublieft |alsjeblieft |hier )*(niet|nooit) (meer|weer)',
    '(haal|verwijder|schrap|wis) (mijn (telefoon)?nummer|(me|mij) (van|uit) (\\w+ )?(bel)?lijst)',
  ],
  polish: [
    '(nie|prosze nie|przestan|przestancie|prosze przestac) (dzwon|dzwonic|dzwoncie) (do mnie|wiecej)',
    '^(prosze )?(nie dzwon|nie dzwonic|nie dzwoncie|przestan dzwonic|przestancie dzwonic|przestac dzwonic) $',
    '(nie|prosze nie) (dzwon|dzwonic|dzwoncie) (juz|wiecej|nigdy)',
    '^(prosze )?(do mnie )?((juz|wiecej|nigdy) )+(do mnie )?nie (dzwon|dzwonic|dzwoncie)',
    'nie (chce|zycze sobie|chcemy) (juz )?(wiecej |tych |takich |waszych )*(telefonow|polaczen)',
    '(usun|usuncie|prosze usunac) moj numer',
    'prosze o usuniecie mojego numeru',
  ],
  nordic: [
    'sluta (upp )?(med )?(att )?ringa (mig|oss|hit|$)',
    'ring (mig |oss |hit )?(inte|aldrig) (mer|igen|mig igen|mig mer)',
    'ring (aldrig|ikke) (til )?(mig|meg|oss|os) (igen|igjen|mere|mer)',
    '(hold op|stopp?|slutt) (med )?(at|a) ringe (til )?(mig|meg|os|oss|hit)',
    '(vill|vil|onsker) (inte|ikke) (langre |lenger |langere |mer |mere )*(bli |blive )?(uppringd|uppringda|oppringt|ringt( opp| op)?|ringet op|ringes( opp| op)?) (av er |igen |mer |mere |langre |lenger )*$',
    '(vill|vil|onsker) (inte|ikke) (langre |lenger )?(ha |have )?(fler|flere) (samtal|samtaler|oppringninger|opringninger|opkald)',
    '(ta bort|slett|slet|fjern) (mitt|mit) nummer',
  ],
} as const satisfies Record<string, readonly string[]>

/** The same, but only as a whole sentence: "on Sundays, please don't call" says when, and "please don't call the office" says where. */
const SENTENCE =
  /^(no |oh |ok |okay |look |listen |sorry |thanks |thank you |hi |hello |(im |i am )?not interested )*please (dont|do not) (ever )?call (please |thanks |thank you |ever |at all )*$/

// A clause ends with a space, so that each word of a phrase may be followed by one.
const STOP = new RegExp(`(?:^|(?<= ))(?:${Object.values(PHRASES).flat().join('|')})(?=$| |(?<= ))`)

/** Characters that stand for a phrase or a long word of another script, and would become up to 18 letters (ﷺ). */
const FOREIGN_PHRASES = /[\u321d\u321e\u327c\u3300-\u3357\ufdfa\ufdfb]+/gu

/** In lower case, without accents; an apostrophe is nothing, every other mark is a space. Ends with a space. */
function plain(text: string): string {
  const words = text
    .replace(FOREIGN_PHRASES, ' ')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l')
    .replace(/['’‘`´]/g, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
  return `${words} `
}

/** Longest text that is looked at, in characters: its end. */
const LONGEST_TEXT = 4000

/** Whether somebody says, in one of some ten languages, that they do not want to be called again. */
export function saysStop(text: string): boolean {
  const latest = text.slice(-LONGEST_TEXT)
  return (
    [latest, ...latest.split(/[.,;:!?…\n–—]+/u)].some((words) => STOP.test(plain(words))) ||
    latest.split(/[.!?…\n]+/u).some((words) => SENTENCE.test(plain(words)))
  )
}
