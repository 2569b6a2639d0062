/**
 * The words on buttons and links of sign-in and consent pages, without diacritics, in English, German, French, Spanish,
 * Italian, Portuguese, Dutch, Swedish and Polish. Looked at only where the structure of a page leaves a choice.
 */
const vocabulary = {
  approve: [
    "approve allow authorize authorise accept agree consent grant confirm permit yes connect",
    "erlauben zulassen genehmigen zustimmen akzeptieren annehmen bestatigen autorisieren freigeben gewahren einverstanden ja verbinden",
    "autoriser accepter approuver consentir confirmer permettre oui",
    "autorizar aceptar permitir aprobar confirmar conceder si",
    "autorizza accetta consenti approva conferma concedi acconsento",
    "aceitar aprovar sim",
    "toestaan accepteren goedkeuren akkoord bevestigen toestemming",
    "tillat godkann acceptera bekrafta",
    "zezwol zezwalam akceptuj akceptuje zatwierdz potwierdz zgadzam zgoda tak",
  ],
  /** Of the words that approve, those that only a question about a client has. */
  grant: [
    "allow authorize authorise grant permit",
    "erlauben zulassen genehmigen autorisieren gewahren",
    "autoriser permettre",
    "autorizar permitir conceder",
    "autorizza consenti concedi",
    "toestaan",
    "tillat",
    "zezwol zezwalam",
  ],
  deny: [
    "deny reject cancel decline refuse disallow disagree block abort no not never don t won t",
    "ablehnen verweigern abbrechen verbieten nicht nein",
    "refuser annuler rejeter interdire non ne pas",
    "rechazar denegar cancelar",
    "rifiuta nega annulla",
    "recusar negar rejeitar nao",
    "weigeren afwijzen annuleren nee niet",
    "neka avvisa avbryt nej inte",
    "odmow odrzuc anuluj nie",
  ],
  proceed: [
    "continue next proceed sign_in log_in signin login submit ok okay go done finish got_it i_understand",
    "weiter fortfahren anmelden einloggen absenden fertig verstanden",
    "continuer suivant poursuivre connexion se_connecter envoyer terminer valider compris",
    "continuar siguiente iniciar_sesion acceder entrar enviar entendido",
    "continua avanti accedi invia prosegui ho_capito",
    "avancar seguinte proximo iniciar_sessao concluir",
    "doorgaan volgende verder inloggen aanmelden verzenden",
    "fortsatt nasta logga_in skicka",
    "kontynuuj dalej zaloguj zaloguj_sie wyslij",
  ],
  /** Another person than the one who is signed in. */
  notMe: [
    "not_you switch_account another_account different_account other_account someone_else sign_out log_out logout signout",
    "nicht_sie nicht_du konto_wechseln anderes_konto abmelden ausloggen",
    "pas_vous changer_de_compte autre_compte se_deconnecter deconnexion",
    "no_eres_tu cambiar_de_cuenta otra_cuenta cerrar_sesion",
    "non_sei_tu cambia_account altro_account esci",
    "mudar_de_conta outra_conta terminar_sessao sair",
    "niet_jij niet_u ander_account uitloggen afmelden",
    "inte_du byt_konto annat_konto logga_ut",
    "nie_ty zmien_konto inne_konto wyloguj",
  ],
  /** What leads elsewhere. */
  leave: [
    "forgot reset register sign_up signup create_account create_an_account help learn_more more_options search language",
    "vergessen registrieren hilfe suche sprache",
    "oublie inscription aide recherche langue",
    "olvidaste olvido registrarse ayuda buscar idioma",
    "dimenticata registrati aiuto cerca lingua",
    "esqueceu registar ajuda pesquisar",
    "vergeten registreren hulp zoeken taal",
    "glomt registrera hjalp sok sprak",
    "zapomniane zarejestruj pomoc szukaj jezyk",
  ],
  back: ["back edit zuruck retour volver atras indietro voltar terug tillbaka wstecz"],
  /** Leaves out a page that asks for something optional. */
  skip: ["skip uberspringen passer omitir saltar salta ignorar pular overslaan hoppa_over pomin"],
  later: [
    "not_now maybe_later later another_time",
    "nicht_jetzt spater jetzt_nicht",
    "pas_maintenant plus_tard",
    "ahora_no mas_tarde",
    "non_ora piu_tardi",
    "agora_nao mais_tarde",
    "niet_nu",
    "inte_nu senare",
    "nie_teraz pozniej",
  ],
  /** What a service asks its customers to set up. */
  offer: [
    "passkey passkeys two_factor two_step 2fa mfa authenticator second_factor security_key fingerprint face_id recovery phone_number",
    "protect_your_account secure_your_account keep_your_account verify_your_email verify_your_e_mail",
    "zwei_faktor sicherheitsschlussel fingerabdruck wiederherstellung telefonnummer",
    "cle_d_acces double_authentification empreinte numero_de_telephone",
    "clave_de_acceso dos_pasos huella numero_de_telefono",
    "due_passaggi due_fattori impronta numero_di_telefono",
    "chave_de_acesso dois_fatores duas_etapas impressao_digital numero_de_telefone",
    "toegangssleutel tweestaps vingerafdruk telefoonnummer",
    "tvafaktor tvastegs fingeravtryck telefonnummer",
    "dwuskladnikowe odcisk_palca numer_telefonu",
  ],
  staySignedIn: [
    "stay_signed_in keep_me_signed_in remember_me stay_logged_in keep_me_logged_in remember_this_device trust_this_device kmsi",
    "angemeldet_bleiben eingeloggt_bleiben",
    "rester_connecte rester_connectee",
    "mantener_la_sesion mantener_sesion",
    "resta_connesso rimani_connesso",
    "manter_sessao permanecer_conectado continuar_conectado",
    "aangemeld_blijven ingelogd_blijven",
    "forbli_inloggad forblir_inloggad",
    "nie_wylogowuj pozostan_zalogowany",
  ],
  /** A way to sign in with the password, beside others. */
  byPassword: [
    "with_password with_a_password with_your_password use_password use_a_password use_your_password enter_your_password",
    "mit_passwort passwort_verwenden passwort_eingeben",
    "avec_un_mot_de_passe avec_mot_de_passe utiliser_un_mot_de_passe utiliser_le_mot_de_passe",
    "con_contrasena usar_contrasena usar_la_contrasena",
    "con_la_password usa_la_password usa_password",
    "com_senha usar_senha com_palavra_passe usar_palavra_passe",
    "met_wachtwoord wachtwoord_gebruiken",
    "med_losenord anvand_losenord",
    "za_pomoca_hasla uzyj_hasla",
  ],
  terms: [
    "terms conditions terms_of_service terms_of_use privacy_policy",
    "nutzungsbedingungen agb geschaftsbedingungen datenschutz datenschutzerklarung",
    "conditions_d_utilisation conditions_generales confidentialite",
    "terminos condiciones privacidad",
    "termini condizioni informativa",
    "termos condicoes privacidade",
    "voorwaarden privacybeleid gebruiksvoorwaarden",
    "villkor anvandarvillkor integritetspolicy",
    "regulamin warunki polityka_prywatnosci",
  ],
  signIn: [
    "sign_in log_in signin login",
    "anmelden anmeldung einloggen",
    "connexion se_connecter",
    "iniciar_sesion",
    "accedi",
    "iniciar_sessao",
    "inloggen aanmelden",
    "logga_in",
    "zaloguj logowanie",
  ],
  signInWith: [
    "sign_in_with log_in_with login_with sign_in_using sign_in_at continue_with continue_at",
    "anmelden_mit weiter_mit einloggen_mit anmelden_bei",
    "se_connecter_avec continuer_avec",
    "iniciar_sesion_con continuar_con",
    "accedi_con continua_con",
    "iniciar_sessao_com entrar_com continuar_com",
    "inloggen_met doorgaan_met aanmelden_met",
    "logga_in_med fortsatt_med",
    "zaloguj_sie_przez kontynuuj_z",
  ],
  readOnly: [
    "read_only readonly reading_only view_only only_read only_reading only_view",
    "nur_lesen nur_lesend schreibgeschutzt lesezugriff",
    "lecture_seule",
    "solo_lectura",
    "sola_lettura",
    "somente_leitura so_de_leitura apenas_leitura",
    "alleen_lezen",
    "endast_lasning skrivskyddad",
    "tylko_odczyt",
  ],
  send: [
    "send sending",
    "senden versenden verschicken",
    "envoyer envoi",
    "enviar envio",
    "inviare invia invio",
    "verzenden versturen",
    "skicka",
    "wysylac wysylanie",
  ],
  read: [
    "read reading view see",
    "lesen lesezugriff",
    "lire lecture",
    "leer lectura",
    "leggere lettura",
    "ler leitura",
    "lezen",
    "lasa lasning",
    "czytac odczyt",
  ],
  only: [
    "only just",
    "nur bloss",
    "seulement uniquement",
    "solo solamente",
    "soltanto solamente",
    "apenas somente",
    "alleen",
    "endast bara",
    "tylko",
  ],
  everything: [
    "everything full all",
    "alles voller voll vollzugriff",
    "tout complet",
    "todo completo",
    "tutto completo",
    "tudo completo",
    "alles volledig",
    "allt full",
    "wszystko pelny",
  ],
  selectAll: [
    "select_all check_all toggle_all all_scopes scope_all scopes_all",
    "alle_auswahlen alles_auswahlen",
    "tout_selectionner",
    "seleccionar_todo seleccionar_todos",
    "seleziona_tutto",
    "selecionar_tudo selecionar_todos",
    "alles_selecteren",
    "markera_alla",
    "zaznacz_wszystko",
  ],
  without: [
    "without cannot can_t must_not block prevent disable exclude",
    "ohne kein keine",
    "sans",
    "sin",
    "senza",
    "sem",
    "zonder geen",
    "utan",
    "bez",
  ],
  inbox: [
    "inbox inboxes mailbox mailboxes postfach postfacher posteingang",
    "boite",
    "buzon",
    "casella",
    "caixa",
    "postvak",
    "inkorg",
    "skrzynka",
  ],
  /** What is not there yet. */
  create: [
    "create new",
    "neu neues anlegen erstellen",
    "creer nouveau nouvelle",
    "crear nuevo nueva",
    "crea nuovo nuova",
    "criar novo nova",
    "nieuw nieuwe aanmaken",
    "skapa ny nytt",
    "utworz nowa nowy",
  ],
  cookies: [
    "cookie cookies ciasteczka",
    "necessary_only only_necessary essential_only only_essential nur_notwendige nur_essenzielle",
  ],
  language: ["lang language locale locales sprache langue idioma lingua taal sprak jezyk"],
  newsletter: ["newsletter subscribe abonnieren"],
  username: [
    "user username user_name email e_mail mail login identifier account account_name",
    "benutzer benutzername nutzername anmeldename kennung",
    "utilisateur identifiant courriel",
    "usuario correo",
    "utente nome_utente",
    "utilizador",
    "gebruiker gebruikersnaam",
    "anvandarnamn",
    "uzytkownik nazwa_uzytkownika",
  ],
} as const;

export type Meaning = keyof typeof vocabulary;

const phrases = Object.fromEntries(
  Object.entries(vocabulary).map(([meaning, lines]) => [
    meaning,
    lines.flatMap((line) => line.split(" ")).map((phrase) => ` ${phrase.replaceAll("_", " ")} `),
  ]),
);

/** Whether a text, or a name from the markup such as `btnApprove`, contains a word of that meaning. */
export function says(meaning: Meaning, text: string): boolean {
  const words = ` ${wordsOf(text)} `;
  return (phrases[meaning] ?? []).some((phrase) => words.includes(phrase));
}

/** "Do not allow sending": what stands before the word, in the same sentence, denies it. */
export function refusesSending(text: string): boolean {
  return text.split(/[.;:!?()]/u).some((sentence) => {
    const words = ` ${wordsOf(sentence)} `;
    const [at = -1] = (phrases["send"] ?? [])
      .map((phrase) => words.indexOf(phrase))
      .filter((index) => index >= 0)
      .toSorted((a, b) => a - b);
    const before = words.slice(0, at + 1);
    return at >= 0 && (says("deny", before) || says("without", before));
  });
}

/** Lower case, without diacritics, words separated by one space. */
export function wordsOf(text: string): string {
  return text
    .replaceAll(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll("ł", "l")
    .replaceAll("ø", "o")
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
